// The tokens that a JSON document is read in.
#pragma once

namespace heapcheck::core {

enum class JsonToken {
  object_begin,
  object_end,
  array_begin,
  array_end,
  key,
  string,
  number,
  literal_true,
  literal_false,
  literal_null,
  end,    ///< the document's one value is complete
  error,  ///< see JsonReader::error()
};

}  // namespace heapcheck::core
