#include "analyze/guard.hpp"

#include <cstddef>

namespace heapcheck::analyze {

double find_slope(std::span<const double> values) {
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double distance = static_cast<double>(i) - middle;
    products += distance * values[i];
    squares += distance * distance;
  }
  return products / squares;
}

}  // namespace heapcheck::analyze
