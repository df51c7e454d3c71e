package importer

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/pprofread"
)

// readFolded reads folded stacks: a stack a line, then a number.
func readFolded(in io.Reader, account *budget.Account) (*Trace, error) {
	t := New(account)
	t.whole = true
	type line struct {
		stack  []gather.ZoneID
		number moment
	}
	var lines []line
	total := int64(0)
	scan := bufio.NewScanner(in)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		stack, number, ok := foldedLine(scan.Text())
		switch {
		case strings.TrimSpace(scan.Text()) == "" || strings.HasPrefix(scan.Text(), "#"):
			continue
		case !ok || total > latest/1e6-number.micros-1:
			t.leave("lines without a number", 1)
			continue
		}
		l := line{number: number}
		for name := range strings.SplitSeq(stack, ";") {
			l.stack = append(l.stack, t.zone(name))
		}
		total += number.micros
		lines = append(lines, l)
		if t.hold(markSize + 8*len(l.stack)); t.over != nil {
			return nil, t.over
		}
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("these are not folded stacks: %w", err)
	}
	unit := int64(1)
	if t.note = "the file has no unit: its numbers are taken for nanoseconds"; total < leastNanoseconds {
		unit = 1e6
		t.note = "the file has no unit: its numbers are taken for samples, of 1 ms each"
	}
	s := newSums(t)
	for _, l := range lines {
		s.add(l.stack, l.number.micros*unit+l.number.picos*unit/1e6)
	}
	s.place(t.laneOf("stacks", "stacks"), 0)
	return t, t.over
}

// leastNanoseconds is the least sum of a file of folded stacks in nanoseconds. A smaller sum is a number of samples.
const leastNanoseconds = 1_000_000

// foldedLine splits a line at its last space. The number may have decimals: it is read as a moment's whole part and
// millionths.
func foldedLine(s string) (stack string, number moment, ok bool) {
	s = strings.TrimRight(s, " \t\r")
	at := strings.LastIndexAny(s, " \t")
	if at < 1 {
		return "", moment{}, false
	}
	number, v := parseMoment([]byte(s[at+1:]))
	return strings.TrimRight(s[:at], " \t"), number, v == isTime && number.micros >= 0
}

// readPprof reads the stacks of a profile of pprof.
func readPprof(in io.Reader, sample string, account *budget.Account) (*Trace, error) {
	kind, list, err := pprofread.Stacks(in, sample, account)
	if err != nil {
		return nil, err
	}
	t := New(account)
	t.whole = true
	s := newSums(t)
	var stack []gather.ZoneID
	for _, x := range list {
		stack = stack[:0]
		for _, p := range x.Places {
			stack = append(stack, t.zoneAt(cmp.Or(p.Name, "(unknown)"), p.File, 0))
		}
		if x.Time < 0 {
			t.leave("stacks with a time below 0", 1)
			continue
		}
		if s.add(stack, int64(x.Time)); t.over != nil {
			return nil, t.over
		}
	}
	s.place(t.laneOf(kind, kind), 0)
	return t, t.over
}
