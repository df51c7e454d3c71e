package importer

import (
	"encoding/json"
	"io"
	"unicode/utf8"

	"example.com/iprof/internal/budget"
)

// input is the text of a file. A window of it is in memory.
type input struct {
	from    io.Reader
	account *budget.Account
	buf     []byte
	at, end int // the unused part of the window
	err     error
}

// window is the number of bytes that are read at once. It grows for longer events.
const window = 256 << 10

func newInput(from io.Reader, account *budget.Account) *input {
	return &input{from: from, account: account, buf: make([]byte, window)}
}

// rest returns the unused part of the window.
func (r *input) rest() []byte { return r.buf[r.at:r.end] }

// more reads more bytes after the rest. It returns false at the end; err has the reason.
func (r *input) more() bool {
	if r.err != nil {
		return false
	}
	if r.at > 0 {
		r.end = copy(r.buf, r.buf[r.at:r.end])
		r.at = 0
	}
	if r.end == len(r.buf) {
		if r.err = r.account.Hold(int64(len(r.buf))); r.err != nil {
			return false
		}
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	for range 100 {
		n, err := r.from.Read(r.buf[r.end:])
		r.end += n
		r.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	r.err = io.ErrNoProgress
	return false
}

// failed returns the error of reading, nil at the end of the file. A file that is cut within its compression has ended,
// too.
func (r *input) failed() error {
	if r.err == io.EOF || r.err == io.ErrUnexpectedEOF {
		return nil
	}
	return r.err
}

// next returns the next byte other than white space, without using it. It returns 0 at the end.
func (r *input) next() byte {
	for {
		r.at += skipSpace(r.rest(), 0)
		if r.at < r.end {
			return r.buf[r.at]
		}
		if !r.more() {
			return 0
		}
	}
}

// value returns the next value, which the next call may change. It returns nil at the end, or if the text is not JSON.
func (r *input) value() []byte {
	for {
		p := parser{b: r.rest()}
		end, f := p.value(0, 0)
		if f == tooShort && r.more() {
			continue
		}
		if f != noFault {
			return nil
		}
		value := r.rest()[:end]
		r.at += end
		return value
	}
}

// skip skips a value of any length. It considers only strings and brackets.
func (r *input) skip() {
	depth, quoted := 0, false
	for {
		for ; r.at < r.end; r.at++ {
			switch c := r.buf[r.at]; {
			case quoted && c == '\\':
				if r.at+1 == r.end && !r.more() {
					return
				}
				r.at++
			case c == '"':
				quoted = !quoted
			case quoted:
			case c == '{' || c == '[':
				depth++
			case c == ',' && depth == 0, (c == '}' || c == ']') && depth == 0:
				return
			case c == '}' || c == ']':
				depth--
			}
		}
		if !r.more() {
			return
		}
	}
}

// resume continues after text that is not JSON, at the next object that begins like one of a list. If there is none,
// ended reports whether the file ends like a whole file.
func (r *input) resume() (found, ended bool) {
	before := byte(',')
	for {
		for ; r.at < r.end; r.at++ {
			switch c := r.buf[r.at]; c {
			case ' ', '\t', '\r':
			case '{':
				if before == ',' || before == '\n' || before == '[' || before == '}' {
					return true, false
				}
				before = c
			case '\n':
				if before != ']' && before != '}' {
					before = c
				}
			default:
				before = c
			}
		}
		if !r.more() {
			return false, before == ']' || before == '}'
		}
	}
}

// fault is a kind of error in a text.
type fault uint8

const (
	noFault  fault = iota
	tooShort       // it ends within a value
	noJSON
)

// deepest bounds nested values.
const deepest = 500

// parser reads values of a text in memory. It accepts words that are not JSON, such as inf, and sets odd.
type parser struct {
	b   []byte
	odd bool // the text had such a word
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// text skips a string, whose quote is at i. A string does not contain the end of a line.
func (p *parser) text(i int) (int, fault) {
	for i++; i < len(p.b); i++ {
		switch p.b[i] {
		case '"':
			return i + 1, noFault
		case '\\':
			i++
		case '\n':
			return i, noJSON
		}
	}
	return len(p.b), tooShort
}

// word skips a number or a word. If there is none, the file is marked as odd.
func (p *parser) word(i int) (int, fault) {
	begin := i
	for ; i < len(p.b); i++ {
		switch p.b[i] {
		case ',', ']', '}', ' ', '\n', '\r', '\t', '"', '{', '[', ':':
			p.odd = p.odd || !isWord(p.b[begin:i])
			return i, noFault
		}
	}
	return i, tooShort
}

// isWord reports whether a word is valid JSON. Numbers may begin with 0.
func isWord(w []byte) bool {
	if len(w) == 0 {
		return false
	}
	if c := w[0]; c == '-' || c >= '0' && c <= '9' {
		if c == '-' {
			w = w[1:]
		}
		_, _, _, ok := splitNumber(w)
		return ok
	}
	return string(w) == "true" || string(w) == "false" || string(w) == "null"
}

// value skips a value.
func (p *parser) value(i, depth int) (int, fault) {
	if i = skipSpace(p.b, i); i >= len(p.b) {
		return i, tooShort
	}
	switch p.b[i] {
	case '"':
		return p.text(i)
	case '{':
		return p.object(i, depth, nil)
	case '[':
		return p.list(i, depth, nil)
	}
	return p.word(i)
}

// object skips an object, and gives each of its values to found, which may be nil.
func (p *parser) object(i, depth int, found func(key, value []byte)) (int, fault) {
	if depth > deepest {
		return i, noJSON
	}
	for i++; ; {
		i = skipSpace(p.b, i)
		switch {
		case i >= len(p.b):
			return i, tooShort
		case p.b[i] == '}':
			return i + 1, noFault
		case p.b[i] == ',':
			i++
			continue
		case p.b[i] != '"':
			return i, noJSON
		}
		begin, f := i, noFault
		if i, f = p.text(i); f != noFault {
			return i, f
		}
		key := p.b[begin+1 : i-1]
		if i = skipSpace(p.b, i); i >= len(p.b) {
			return i, tooShort
		}
		if p.b[i] != ':' {
			return i, noJSON
		}
		i = skipSpace(p.b, i+1)
		if begin = i; begin >= len(p.b) {
			return i, tooShort
		}
		if i, f = p.value(i, depth+1); f != noFault {
			return i, f
		}
		if found != nil {
			found(key, p.b[begin:i])
		}
	}
}

// list skips a list, and gives each of its values to found, which may be nil.
func (p *parser) list(i, depth int, found func(value []byte)) (int, fault) {
	if depth > deepest {
		return i, noJSON
	}
	for i++; ; {
		i = skipSpace(p.b, i)
		switch {
		case i >= len(p.b):
			return i, tooShort
		case p.b[i] == ']':
			return i + 1, noFault
		case p.b[i] == ',':
			i++
			continue
		case p.b[i] == '}' || p.b[i] == ':':
			return i, noJSON
		}
		begin, f := i, noFault
		if i, f = p.value(i, depth+1); f != noFault {
			return i, f
		}
		if found != nil {
			found(p.b[begin:i])
		}
	}
}

// eachField gives each value of an object to found.
func eachField(object []byte, found func(key, value []byte)) {
	if len(object) > 0 && object[0] == '{' {
		p := parser{b: object}
		p.object(0, 0, found)
	}
}

// field returns a value of an object, or nil.
func field(object []byte, name string) (value []byte) {
	eachField(object, func(key, v []byte) {
		if string(key) == name {
			value = v
		}
	})
	return value
}

// isText reports whether a value is a string.
func isText(value []byte) bool { return len(value) >= 2 && value[0] == '"' }

// textOf returns the text of a string. Bytes that are not UTF-8 become U+FFFD.
func textOf(value []byte) []byte {
	inside := value[1 : len(value)-1]
	plain := utf8.Valid(inside)
	for i := 0; plain && i < len(inside); i++ {
		plain = inside[i] != '\\' && inside[i] >= ' '
	}
	if plain {
		return inside
	}
	var s string
	if json.Unmarshal(value, &s) == nil {
		return []byte(s)
	}
	return []byte(lenient(inside))
}

// lenient accepts text that encoding/json refuses: control characters, and unknown escapes.
func lenient(inside []byte) string {
	escaped := make([]byte, 0, len(inside)+2)
	escaped = append(escaped, '"')
	for i, c := range inside {
		switch {
		case c < ' ':
			escaped = append(escaped, ' ')
		case c == '\\' && !(i > 0 && inside[i-1] == '\\') && (i+1 == len(inside) || !knownEscape(inside[i+1:])):
			escaped = append(escaped, '\\', '\\')
		default:
			escaped = append(escaped, c)
		}
	}
	var s string
	if json.Unmarshal(append(escaped, '"'), &s) != nil {
		return string(inside)
	}
	return s
}

func knownEscape(b []byte) bool {
	switch b[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		return len(b) > 4 && json.Valid(append(append([]byte(`"\`), b[:5]...), '"'))
	}
	return false
}

// plain returns the text of a string, or the source of another value.
func plain(value []byte) []byte {
	if isText(value) {
		return textOf(value)
	}
	return value
}
