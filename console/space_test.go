package console

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// serving returns a session with frames of a server of 30 routes. Its Update goroutine sleeps, others answer.
func serving(t testing.TB, frames int) *process.Session {
	t.Helper()
	s := process.NewSession()
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "sleep", Idle: true}, {Name: "iprof update"}}
	for i := range 30 {
		zones = append(zones, gather.ZoneInfo{Name: fmt.Sprintf("GET /shop/%c/{id}", 'a'+i)})
	}
	for i := range uint64(frames) {
		begin := platform.Ticks(i) * 100_000
		f := &gather.Frame{Index: i, Begin: begin, End: begin + 100_000, TicksPerSecond: 1e6, Zones: zones}
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 1, Name: "main", Updater: true, Begin: begin, End: f.End,
			Nodes: []gather.Node{{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: 99_000},
				{ID: 3, Zone: 2, Count: 1, Self: 1000}}})
		for worker := range gather.LaneID(3) {
			l := gather.LaneFrame{ID: worker + 2, Name: fmt.Sprint("worker ", worker+1), Begin: begin, End: f.End,
				Nodes: []gather.Node{{ID: gather.NodeID(100 * (worker + 1)), Parent: -1, Self: 30_000}}}
			for k := range 10 {
				zone := gather.ZoneID(3 + 10*int(worker) + k)
				l.Nodes = append(l.Nodes, gather.Node{ID: l.Nodes[0].ID + gather.NodeID(k+1), Zone: zone,
					Count: uint32(1 + k%3), Self: 7000 + platform.Ticks(i*uint64(zone)%900)})
			}
			f.Lanes = append(f.Lanes, l)
		}
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// emptyShare returns the share of a page's cells that are more than eight cells, or a line, from all content and from
// the edge. A line of bars is content from side to side, because its gaps are data.
func emptyShare(page []string, width int) float64 {
	full := make([][]bool, len(page))
	for y, line := range page {
		full[y] = make([]bool, width)
		left, right, beside := strings.Cut(line, "│")
		at := 0
		for _, part := range []string{left, "│", right} {
			bars := strings.ContainsAny(part, "▁▂▃▄▅▆▇█░")
			for _, r := range part {
				if beside || at < width && part != "│" {
					full[y][at] = bars || r != ' '
					at++
				}
			}
		}
	}
	empty := 0
	for y := range full {
		for x := range width {
			near := x < 8 || x >= width-8
			for yy := max(0, y-1); yy <= min(y+1, len(full)-1); yy++ {
				for xx := max(0, x-8); xx <= min(x+8, width-1); xx++ {
					near = near || full[yy][xx]
				}
			}
			if !near {
				empty++
			}
		}
	}
	return float64(empty) / float64(len(page)*width)
}

// A page of a program with 30 zones fills the terminal: at most a tenth of it is far from all content, and nothing is
// cut.
func TestPagesAreFull(t *testing.T) {
	for name, open := range map[string]func(testing.TB, int) *process.Session{"game": replayed, "server": serving} {
		for _, mode := range []report.ReportMode{report.ReportSelfTime, report.ReportCallTree} {
			for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 50}} {
				t.Run(fmt.Sprintf("%s/%v/%dx%d", name, mode, size[0], size[1]), func(t *testing.T) {
					s := open(t, 360)
					s.View().SetReportMode(mode)
					page := read(testPage(s).lines(size[0], size[1]))
					if dir := os.Getenv("IPROF_PICTURES"); dir != "" {
						file := fmt.Sprintf("page-%s-%d-%d.txt", name, mode, size[0])
						must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(page), 0o644))
					}
					if strings.Contains(page, "...") {
						t.Errorf("got a text that is cut:\n%s", page)
					}
					lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
					if got := emptyShare(lines, size[0]); got > 0.1 || len(lines) != size[1] {
						t.Errorf("got %.1f %% empty, %d lines; want at most 10:\n%s", 100*got, len(lines), page)
					}
				})
			}
		}
	}
}
