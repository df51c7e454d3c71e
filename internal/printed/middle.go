package printed

import "unicode/utf8"

// Middle returns the beginning and the end of a text that have room around a mark, such as an ellipsis: names of one
// package differ at their ends, and names of one family at their beginnings. A text that has room whole is a beginning
// without an end. width returns the width of a character. It is called for at most all characters that have room, so
// the length of the text does not count.
func Middle(s string, room, mark float32, width func(char string) float32) (head, tail string) {
	half, most := (room-mark)/2, min(int(4*room), mostRead)
	from, rest := 0, room-mark
	for used, at := float32(0), 0; ; {
		if at == len(s) {
			return s, ""
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		if used += width(s[at : at+size]); used > room || at > 2*most {
			break
		}
		if at += size; used <= half && at <= most {
			from, rest = at, room-mark-used
		}
	}
	to := len(s)
	for used := float32(0); to > from; {
		_, size := utf8.DecodeLastRuneInString(s[from:to])
		if used += width(s[to-size : to]); used > rest || len(s)-to+size > most {
			break
		}
		to -= size
	}
	return s[:from], s[to:]
}

// mostRead bounds the bytes of each half of a text, whose characters may have no width. There are also at most four for
// each unit of the room.
const mostRead = 512
