package process

import (
	"strings"
	"unicode/utf8"
)

// The limits of a filter, in bytes.
const (
	longestFilter = 64
	searched      = 4096 // bytes of a name that are searched
)

// SetFilter shows only rows whose name contains the text, and the rows above them. Case is ignored for ASCII letters.
// Control characters, and bytes after the first 64, are ignored. The empty text shows all rows. Any goroutine may call
// it.
func (s *Session) SetFilter(text string) { s.adjust(func(v *View) { v.Filter = text }) }

// SetCallersOnly hides or shows the callees of a call graph. Any goroutine may call it.
func (s *Session) SetCallersOnly(on bool) { s.adjust(func(v *View) { v.CallersOnly = on }) }

// FilterText returns the normal form of a filter text, as View.Filter has it: at most 64 bytes, printable, ASCII
// letters in lower case. See Session.SetFilter.
func FilterText(text string) string {
	if isNormalFilter(text) {
		return text
	}
	b := make([]byte, 0, longestFilter)
	for _, r := range text {
		if r >= ' ' && r != 0x7f && r != utf8.RuneError && len(b)+utf8.RuneLen(r) <= longestFilter {
			b = utf8.AppendRune(b, r)
		}
	}
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

func isNormalFilter(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == 0x7f || c != lower(c) {
			return false
		}
	}
	return len(text) <= longestFilter && utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError)
}

// filter appends the indexes of the records to show, and returns the number of matches. The row of the subject is not
// hidden.
func (a *Arrangement) filter(dst, index []int32, r []Record, subject ZoneID) (lines []int32, found int) {
	for at, i := range index {
		switch {
		case a.CallersOnly && r[i].Group == GroupChild:
		case a.Hides(r[i].Zone) && (r[i].Group != GroupFocus || r[i].Zone != subject):
		case a.matches(r[i].Name):
			found++
			dst = append(dst, i)
		case a.aboveMatch(at, index, r):
			dst = append(dst, i)
		}
	}
	return dst, found
}

// aboveMatch reports whether a row is shown above a match. The rows below it follow it in index.
func (a *Arrangement) aboveMatch(at int, index []int32, r []Record) bool {
	row := &r[index[at]]
	for _, i := range index[at+1:] {
		if r[i].Group != row.Group || r[i].Indent <= row.Indent {
			return false
		}
		if a.matches(r[i].Name) {
			return true
		}
	}
	return false
}

// Finds reports whether a name contains the filter's text. Without a text it finds nothing.
func (a *Arrangement) Finds(name string) bool { return a.Filter != "" && a.matches(name) }

// matches reports whether a name contains the filter's text.
func (a *Arrangement) matches(name string) bool {
	text := a.Filter
	name = name[:min(len(name), searched)]
	for i := 0; i+len(text) <= len(name); i++ {
		n := 0
		for n < len(text) && lower(name[i+n]) == text[n] {
			n++
		}
		if n == len(text) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}
