package text

import (
	"io"
	"os"
	"runtime"
	"strings"
)

// looks is what Art and Color come to for one writer.
type looks struct {
	ascii bool
	color bool
}

// looksFor decides the automatic choices: box drawing and colour belong on terminals only. A file, a pipe and a buffer
// get plain ASCII, so that what is stored reads the same everywhere.
func looksFor(w io.Writer, o *Options, getenv func(string) string) looks {
	l := looks{ascii: o.Art == ASCII, color: o.Color == AlwaysColor}
	if o.Art != AutoArt && o.Color != AutoColor {
		return l
	}
	tty := isTerminal(w)
	if o.Art == AutoArt {
		l.ascii = !tty || !utf8Locale(getenv)
	}
	if o.Color == AutoColor {
		l.color = tty && colorWanted(getenv)
	}
	return l
}

// isTerminal reports whether w is a character device. That includes /dev/null, where it does no harm.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// utf8Locale reports whether the locale's character set is UTF-8, by the first of the variables POSIX looks at.
func utf8Locale(getenv func(string) string) bool {
	if runtime.GOOS == "windows" {
		return getenv("WT_SESSION") != ""
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// colorWanted reports whether the environment allows colour.
func colorWanted(getenv func(string) string) bool {
	if getenv("NO_COLOR") != "" || getenv("TERM") == "dumb" {
		return false
	}
	return runtime.GOOS != "windows" || getenv("WT_SESSION") != "" || getenv("TERM") != ""
}

// The colours of a terminal, by their standard numbers so that the user's theme applies.
const (
	colorHot   = "\x1b[1;31m" // bold red: at least half of the column's greatest value
	colorWarm  = "\x1b[33m"   // yellow: at least a fifth
	colorFaint = "\x1b[90m"   // grey: idle zones
	colorOff   = "\x1b[0m"
)

// heatColor returns the colour of a value among values of which greatest is the largest, or "".
func (l looks) heatColor(value, greatest float64) string {
	switch {
	case !l.color || greatest <= 0:
		return ""
	case value >= greatest/2:
		return colorHot
	case value >= greatest/5:
		return colorWarm
	}
	return ""
}
