package exectrace

import (
	"bufio"
	"os"
	"strings"

	"example.com/iprof/process"
)

// place is a line of a source file.
type place struct {
	file string
	line int
}

// mostTexts bounds the lines of source that a Watcher remembers.
const mostTexts = 1 << 13

// fillTexts gives all lines their text. It reads each file once, and remembers what it has read.
func (w *Watcher) fillTexts(h *process.HotZones) {
	if w.texts == nil || len(w.texts) > mostTexts {
		w.texts = map[place]string{}
	}
	want := map[string]map[int]bool{} // by file
	each := func(do func(*HotLine)) {
		for i := range h.Zones {
			for k := range h.Zones[i].Lines {
				do(&h.Zones[i].Lines[k])
			}
		}
	}
	each(func(l *HotLine) {
		if _, known := w.texts[place{l.File, l.Line}]; known {
			return
		}
		if want[l.File] == nil {
			want[l.File] = map[int]bool{}
		}
		want[l.File][l.Line] = true
	})
	for file, lines := range want {
		w.readTexts(file, lines)
	}
	each(func(l *HotLine) { l.Text = w.texts[place{l.File, l.Line}] })
}

// readTexts reads some lines of a source file. Without the file they are "".
func (w *Watcher) readTexts(file string, lines map[int]bool) {
	for line := range lines {
		w.texts[place{file, line}] = ""
	}
	if !strings.HasSuffix(file, ".go") {
		return
	}
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		if lines[n] {
			w.texts[place{file, n}] = strings.TrimSpace(in.Text())
		}
	}
}
