package html

import (
	"strings"

	"example.com/iprof/internal/printed"
)

// markup is text that is HTML. Constants and the results of esc and of this file's numbers are; a string is not, so the
// compiler finds a text that was not escaped.
type markup string

// put writes parts of the page. The first error stays in p.out.
func (p *page) put(parts ...markup) {
	for _, s := range parts {
		_, _ = p.out.WriteString(string(s))
	}
}

// mostName is the greatest length of a text on the page in bytes. A longer text is cut and ends in "...".
const mostName = 2048

// visible returns s with control characters, direction overrides and bytes that are not UTF-8 as escapes, cut to
// mostName bytes.
func visible(s string) string {
	more := ""
	if len(s) > mostName {
		s, more = s[:mostName], "..."
	}
	return printed.Distinct(s) + more
}

// esc makes any text safe in an element and in an attribute in double quotes.
func esc(s string) markup { return escaped(visible(s)) }

// escaped is esc for a text whose characters are all visible.
func escaped(s string) markup {
	const special = `<>&"'`
	if !strings.ContainsAny(s, special) {
		return markup(s)
	}
	b := make([]byte, 0, len(s)+16)
	for i := range len(s) {
		switch at := strings.IndexByte(special, s[i]); {
		case at < 0:
			b = append(b, s[i])
		default:
			b = append(b, [...]string{"&lt;", "&gt;", "&amp;", "&#34;", "&#39;"}[at]...)
		}
	}
	return markup(b)
}
