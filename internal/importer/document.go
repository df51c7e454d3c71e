package importer

import (
	"bytes"
	"io"
	"math"
	"strconv"

	"example.com/iprof/internal/budget"
)

// document is a file that is one JSON value. Its reader also gets the text of damaged values, and the part of a cut
// value. So one bad number costs only that number.
type document struct {
	text []byte
	cut  bool // the file ends within a value
}

// perJSON is the number of bytes of memory for a byte of JSON, numbers included.
const perJSON = 8

// readDocument reads a file to its end.
func readDocument(in io.Reader, account *budget.Account) (*document, error) {
	var b bytes.Buffer
	for chunk := make([]byte, window); ; {
		n, err := in.Read(chunk)
		b.Write(chunk[:n])
		if over := account.Hold(int64(n) * perJSON); over != nil {
			return nil, over
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF: // the latter within the compression
			return &document{text: bytes.TrimLeft(b.Bytes(), " \t\r\n"), cut: err != io.EOF}, nil
		default:
			return nil, err
		}
	}
}

// fields gives each value of an object to found.
func (d *document) fields(object []byte, found func(key string, value []byte)) {
	if len(object) == 0 || object[0] != '{' {
		return
	}
	p := parser{b: object}
	for i := d.next(object, 1, '}'); i < len(object); i = d.next(object, i, '}') {
		if object[i] != '"' {
			i = max(behind(object, i), i+1)
			continue
		}
		end, f := p.text(i)
		colon := skipSpace(object, end)
		switch {
		case f == tooShort || colon == len(object):
			d.cut = true
			return
		case f == noJSON || object[colon] != ':':
			i = max(behind(object, end), i+1)
			continue
		}
		key := string(object[i+1 : end-1])
		i = d.value(object, skipSpace(object, colon+1), func(v []byte) { found(key, v) })
	}
}

// items gives each value of a list to found.
func (d *document) items(list []byte, found func(value []byte)) {
	if len(list) == 0 || list[0] != '[' {
		return
	}
	for i := d.next(list, 1, ']'); i < len(list); i = d.next(list, i, ']') {
		i = max(d.value(list, i, found), i+1)
	}
}

// next returns the beginning of the next value, or the length of the text at the closing bracket.
func (d *document) next(text []byte, i int, closing byte) int {
	for ; i < len(text); i++ {
		switch c := text[i]; c {
		case closing:
			return len(text)
		case ' ', '\t', '\r', '\n', ',', ']', '}':
		default:
			return i
		}
	}
	d.cut = true
	return len(text)
}

// value gives the value that begins at i to found, and returns the place where the next may begin. A number at the end
// of a cut file may lack digits, so it is left out.
func (d *document) value(text []byte, i int, found func(value []byte)) int {
	p := parser{b: text}
	end, f := p.value(i, 0)
	if f == noJSON {
		end = behind(text, i)
	}
	if f == tooShort {
		d.cut, end = true, len(text)
	}
	if end > i && (f != tooShort || isOpen(text[i])) {
		found(text[i:end])
	}
	return end
}

// behind returns the end of a value that is not JSON. It considers only strings and brackets.
func behind(text []byte, i int) int {
	depth, quoted := 0, false
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case isOpen(c):
			depth++
		case depth == 0 && (c == ',' || c == ']' || c == '}'):
			return i
		case c == ']' || c == '}':
			depth--
		}
	}
	return len(text)
}

// nameIn returns the text of a value, "" for objects, lists and null.
func nameIn(value []byte) string {
	if len(value) == 0 || isOpen(value[0]) || string(value) == "null" {
		return ""
	}
	return string(plain(value))
}

// numberIn returns a whole number.
func numberIn(value []byte) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(plain(value)), 10, 64)
	return n, err == nil
}

// lineIn returns a line number, or 0.
func lineIn(value []byte) int {
	n, _ := numberIn(value)
	return int(min(max(n, 0), math.MaxInt32))
}
