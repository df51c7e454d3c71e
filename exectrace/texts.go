package exectrace

import (
	"bufio"
	"os"
	"strings"

	"example.com/iprof/process/report"
)

// place is a line of a source file.
type place struct {
	file string
	line int
}

// mostTexts bounds the lines of source that are cached.
const mostTexts = 1 << 13

// lineTexts are lines of source that were read. The zero value has read none.
type lineTexts struct{ known map[place]string }

// fill gives all lines their text. It reads each file once, and caches the lines.
func (t *lineTexts) fill(h *report.HotZones) {
	if t.known == nil || len(t.known) > mostTexts {
		t.known = map[place]string{}
	}
	want := map[string]map[int]bool{} // by file
	each := func(do func(*report.HotLine)) {
		eachLine(h.Zones, do)
		for i := range h.Frames {
			eachLine(h.Frames[i].Zones, do)
		}
	}
	each(func(l *report.HotLine) {
		if _, known := t.known[place{l.File, l.Line}]; known {
			return
		}
		if want[l.File] == nil {
			want[l.File] = map[int]bool{}
		}
		want[l.File][l.Line] = true
	})
	for file, lines := range want {
		t.read(file, lines)
	}
	each(func(l *report.HotLine) { l.Text = t.known[place{l.File, l.Line}] })
}

// eachLine calls do with each line of zones.
func eachLine(zones []report.HotLines, do func(*report.HotLine)) {
	for i := range zones {
		for k := range zones[i].Lines {
			do(&zones[i].Lines[k])
		}
	}
}

// read reads some lines of a source file. Without the file they are "".
func (t *lineTexts) read(file string, lines map[int]bool) {
	for line := range lines {
		t.known[place{file, line}] = ""
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
			t.known[place{file, n}] = strings.TrimSpace(in.Text())
		}
	}
}
