// Package moment writes and reads links to a moment of a program: a frame, a zone, a goroutine and a report.
//
// A link is the part of a name or an address after "#":
//
//	iprof view 'game.iprof#frame=140&zone=updateWorld&view=callgraph'
package moment

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// A Moment is the place that a link leads to. The zero value leads nowhere. Its parts are hostile text if they come
// from an address.
type Moment struct {
	Set      string // of frames in a capture; "" is the program's own
	Frame    uint64 // its index, as the history shows it
	HasFrame bool
	Zone     string // a zone's name; "" keeps the cursor
	Lane     uint64 // a goroutine's lane; 0 is all of them
	View     string // a report's name; "" keeps the report
}

// Of returns the moment of a frame.
func Of(frame uint64) Moment { return Moment{Frame: frame, HasFrame: true} }

// String returns the link, without "#". It is "" for the zero value.
func (m Moment) String() string {
	var parts []string
	if m.Set != "" {
		parts = append(parts, "set="+escape(m.Set))
	}
	if m.HasFrame {
		parts = append(parts, "frame="+strconv.FormatUint(m.Frame, 10))
	}
	if m.Zone != "" {
		parts = append(parts, "zone="+escape(m.Zone))
	}
	if m.Lane != 0 {
		parts = append(parts, "lane="+strconv.FormatUint(m.Lane, 10))
	}
	if m.View != "" {
		parts = append(parts, "view="+escape(m.View))
	}
	return strings.Join(parts, "&")
}

// Parse reads a link, with or without "#". The error names the part that is wrong, and the right form.
func Parse(link string) (m Moment, err error) {
	for part := range strings.SplitSeq(strings.TrimPrefix(link, "#"), "&") {
		if part == "" {
			continue
		}
		if err := m.set(part); err != nil {
			return Moment{}, err
		}
	}
	return m, nil
}

// set sets the moment's value that a part of a link gives.
func (m *Moment) set(part string) (err error) {
	key, value, _ := strings.Cut(part, "=")
	if value, err = unescape(value); err != nil {
		return fmt.Errorf("%q in a link: want two digits after %%", value)
	}
	switch key {
	case "frame":
		m.HasFrame = true
		m.Frame, err = strconv.ParseUint(value, 10, 64)
	case "lane":
		m.Lane, err = strconv.ParseUint(value, 10, 64)
	case "set":
		m.Set = value
	case "zone":
		m.Zone = value
	case "view":
		m.View = value
	default:
		return fmt.Errorf("%q in a link: want frame=140&zone=NAME&lane=1&view=callgraph, or some of these", part)
	}
	if err != nil {
		return fmt.Errorf("%q in a link: want a number, as in frame=140", part)
	}
	return nil
}

// Split returns the file or address of a name, and the link after its first "#". The whole name is a file's if there is
// such a file.
func Split(name string) (file, link string) {
	before, after, found := strings.Cut(name, "#")
	if !found {
		return name, ""
	}
	if _, err := os.Lstat(name); err == nil {
		return name, ""
	}
	return before, after
}

// escape writes a value with percent signs for all bytes that mean something in an address or a shell's single quotes.
func escape(value string) string {
	var b strings.Builder
	for i := range len(value) {
		if c := value[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// plain reports whether a byte of a value stays as it is.
func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		strings.IndexByte("-_.~/()*:,", c) >= 0
}

// unescape is the reverse of escape.
func unescape(value string) (string, error) {
	b := make([]byte, 0, len(value))
	for i := 0; i < len(value); i++ {
		if value[i] != '%' {
			b = append(b, value[i])
			continue
		}
		n, err := strconv.ParseUint(value[min(i+1, len(value)):min(i+3, len(value))], 16, 8)
		if err != nil || i+2 >= len(value) {
			return value, strconv.ErrSyntax
		}
		b = append(b, byte(n))
		i += 2
	}
	return string(b), nil
}

// Command returns the command that shows a moment of a file or program, for a shell.
func Command(name, link string) string {
	return "iprof view '" + strings.ReplaceAll(name, "'", `'"'"'`) + "#" + link + "'"
}
