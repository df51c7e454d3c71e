package printed

import "strconv"

// Count returns a number with its noun: "1 frame", "2 frames". The noun is in the singular and takes an s. A number
// below 0 is out of range.
func Count[N int | uint64](n N, noun string) string { return count(uint64(n), noun) }

func count(n uint64, noun string) string { return Noun(strconv.FormatUint(n, 10), noun) }

// AppendCount is Count for a buffer.
func AppendCount[N int | uint64](dst []byte, n N, noun string) []byte {
	return appendCount(dst, uint64(n), noun)
}

func appendCount(dst []byte, n uint64, noun string) []byte {
	dst = append(append(strconv.AppendUint(dst, n, 10), ' '), noun...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}

// Noun is Count for a number in words, such as "33+", "1 204" or "0.98".
func Noun(number, noun string) string {
	if number != "1" {
		noun += "s"
	}
	return number + " " + noun
}
