package text

import (
	"io"
	"os"
	"runtime"
	"strings"
)

// looks is the outcome of Options.Art and Options.Color for one writer.
type looks struct {
	ascii bool
	color bool
}

// looksFor resolves the automatic choices. Only terminals get box drawing and colour. Files, pipes and buffers get
// plain ASCII, so that stored text reads the same everywhere.
func looksFor(w io.Writer, o *Options, getenv func(string) string) looks {
	l := looks{ascii: o.Art == ArtASCII, color: o.Color == ColorAlways}
	if o.Art != ArtAuto && o.Color != ColorAuto {
		return l
	}
	tty := isTerminal(w)
	if o.Art == ArtAuto {
		l.ascii = !tty || !utf8Locale(getenv)
	}
	if o.Color == ColorAuto {
		l.color = tty && colorWanted(getenv)
	}
	return l
}

// isTerminal reports whether w is a character device. /dev/null is one, too, which does no harm.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// utf8Locale reports whether the locale's character set is UTF-8. The first variable that is set decides, in the
// order of POSIX.
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

// The colours are standard terminal colours, so the user's theme applies.
const (
	colorHot   = "\x1b[1;31m" // bold red: at least half of the greatest value in the column
	colorWarm  = "\x1b[33m"   // yellow: at least a fifth
	colorFaint = "\x1b[90m"   // grey: idle zones
	colorOff   = "\x1b[0m"
)

// heatColor returns the colour of a value in a column with the given greatest value, or "".
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
