// Package printed writes texts to a terminal. Names, paths and answers of servers are hostile: a terminal would act on
// control characters in them.
//
//	out := printed.To(os.Stdout)
//	out.Printf("%s: %d frames\n", capture.Program, capture.Frames) // the program's name cannot leave its place
package printed

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Text is a text that is safe to print: see Of.
type Text string

// Of escapes characters that a terminal might act on, or that turn or hide other text, as \xNN, \uNNNN or \UNNNNNNNN.
// Line ends and tabs are among these, and bytes that are not UTF-8. Other texts, nearly all, stay.
func Of(s string) Text {
	if at := firstUnsafe(s, false); at < len(s) {
		return Text(appendSafe(append(make([]byte, 0, len(s)+16), s[:at]...), s[at:], false))
	}
	return Text(s)
}

// Distinct is Of with backslashes doubled, so that no two texts become one.
func Distinct(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return string(Of(s))
	}
	doubled := make([]byte, 0, 2*len(s)) // strings.ReplaceAll would be 3 kB of every program
	for i := range len(s) {
		if s[i] == '\\' {
			doubled = append(doubled, '\\')
		}
		doubled = append(doubled, s[i])
	}
	return string(Of(string(doubled)))
}

// firstUnsafe returns where the first character is that is not safe, or the length.
func firstUnsafe(s string, lines bool) int {
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !safe(r, size, lines) {
			return at
		}
		at += size
	}
	return len(s)
}

// safe reports whether a character may be printed. lines allows line ends and tabs.
func safe(r rune, size int, lines bool) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r < 0x7f || lines && (r == '\n' || r == '\t')
	}
	return unicode.IsPrint(r) && (r != utf8.RuneError || size > 1)
}

func appendSafe(dst []byte, s string, lines bool) []byte {
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if safe(r, size, lines) {
			dst = append(dst, s[:size]...)
		} else {
			dst = AppendEscape(dst, r, s[:size])
		}
		s = s[size:]
	}
	return dst
}

// AppendEscape appends the escape of a character, of at most 10 bytes. raw is the bytes that it was read from.
func AppendEscape(dst []byte, r rune, raw string) []byte {
	kind, v, digits := byte('U'), uint32(r), 8
	switch {
	case r < utf8.RuneSelf || r == utf8.RuneError && len(raw) == 1:
		kind, v, digits = 'x', uint32(raw[0]), 2
	case r < 0x10000:
		kind, digits = 'u', 4
	}
	dst = append(dst, '\\', kind)
	for digits--; digits >= 0; digits-- {
		dst = append(dst, "0123456789abcdef"[v>>(4*digits)&15])
	}
	return dst
}

// JSON returns JSON with all that is not safe in its strings as \uNNNN. It means the same.
func JSON(text []byte) []byte {
	s := string(text)
	at := firstUnsafe(s, true)
	if at == len(s) {
		return text
	}
	out := append(make([]byte, 0, len(s)+64), s[:at]...)
	for _, r := range s[at:] { // invalid UTF-8 becomes U+FFFD, as in readers
		switch {
		case safe(r, utf8.RuneLen(r), true):
			out = utf8.AppendRune(out, r)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return out
}

// Writer prints to a terminal, or to a file that may be shown on one. It passes on only printable characters, line ends
// and tabs. Any goroutine may use it.
type Writer struct {
	out  io.Writer
	mu   sync.Mutex
	part []byte // of a character, at the end of the written text
}

// To returns the writer of an output.
func To(out io.Writer) *Writer { return &Writer{out: out} }

// Output returns the output itself, for text that its maker has made safe.
func (w *Writer) Output() io.Writer { return w.out }

// Write writes a text of lines. It escapes unsafe characters as Of does. It returns the output's error.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := append(w.part, p...)
	whole := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if begin := len(text) - n; utf8.RuneStart(text[begin]) {
			if !utf8.FullRune(text[begin:]) {
				whole = begin
			}
			break
		}
	}
	s := string(text[:whole])
	w.part = append([]byte(nil), text[whole:]...)
	if _, err := w.out.Write(appendSafe(nil, s, true)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Printf formats as fmt.Printf. Arguments that are strings stay on their line: see Of.
func (w *Writer) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(w, format, texts(args)...)
	return err
}

// Println prints as fmt.Println. Arguments that are strings stay on their line: see Of.
func (w *Writer) Println(args ...any) error {
	_, err := fmt.Fprintln(w, texts(args)...)
	return err
}

// texts returns the arguments with their strings escaped.
func texts(args []any) []any {
	all := make([]any, len(args))
	for i, a := range args {
		if s, is := a.(string); is {
			a = Of(s)
		}
		all[i] = a
	}
	return all
}
