"""Keys that collide in the hash tables of libstdc++: texts with the same std::hash, and numbers in the same bucket."""
import functools
import itertools

MASK = 2**64 - 1
MULTIPLIER = 0xC6A4A7935BD1E995  # of MurmurHash64A, which std::hash uses with this seed:
SEED = 0xC70F6907
INVERSE = pow(MULTIPLIER, -1, 2**64)
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
ALLOWED = frozenset(range(33, 127)) - frozenset(b'"\\')
BUCKETS = 42043  # the size that libstdc++ chooses for 20,754 to 42,043 keys
TEXT_BYTES = 32


def shift(word):
    return word ^ word >> 47


def mix(word):
    return shift(word * MULTIPLIER & MASK) * MULTIPLIER & MASK


def unmix(word):
    return shift(word * INVERSE & MASK) * INVERSE & MASK


def find_pieces(state, count):
    """Texts of 16 bytes that all change the state of the hash in the same way, and the resulting state."""
    after, pieces = state * INVERSE & MASK, []
    for letters in itertools.product(LETTERS, repeat=8):
        first = bytes(letters[::-1])
        middle = (state ^ mix(int.from_bytes(first, "little"))) * MULTIPLIER & MASK
        second = unmix(middle ^ after * INVERSE & MASK).to_bytes(8, "little")
        if ALLOWED.issuperset(second):
            pieces.append(first + second)
            if len(pieces) == count:
                return pieces, after


@functools.cache
def texts():
    """22,500 texts of 32 printable characters without quotes, all with the same std::hash."""
    starts, state = find_pieces(SEED ^ TEXT_BYTES * MULTIPLIER & MASK, 150)
    ends, _ = find_pieces(state, 150)
    return [start + end for start, end in itertools.product(starts, ends)]


def numbers():
    """Numbers, starting at 1, that are in the same bucket of a table with 20,754 to 42,043 of them."""
    return (b"%d" % (1 + i * BUCKETS) for i in itertools.count())


def in_form(form, keys):
    """One copy of the form for each key, with the key in place of each `#`."""
    return (form.replace(b"#", key) for key in keys)
