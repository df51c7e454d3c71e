package viewer_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/golden"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// surveyed is a program whose goroutines were surveyed.
type surveyed struct {
	made *report.Goroutines
	err  error
}

func (s *surveyed) Survey(bool) (*report.Goroutines, error) { return s.made, s.err }
func (s *surveyed) Last() *report.Goroutines                { return s.made }

// leaking is a survey of a program whose pool leaks.
func leaking() *report.Goroutines {
	return &report.Goroutines{Alive: 4228, Surveys: 12, Took: 17 * time.Millisecond,
		Statements: []report.GoStatement{
			{Crowd: "main.(*pool).start pool.go:31", Alive: 4210, First: 10, Rises: 11, Made: 4300, Ended: 90,
				Oldest: 2 * time.Hour, Rested: 5 * time.Minute,
				Waits: []report.GoWait{{Reason: "chan send", Place: "pool.go:40", Count: 4210}}},
			{Crowd: "main.serve \x1bserver.go:9", Alive: 17, First: 17, Made: 400, Ended: 383, Oldest: time.Minute,
				Waits: []report.GoWait{{Reason: "IO wait", Place: "server.go:14", Count: 12},
					{Reason: "running", Count: 5}}},
			{Crowd: "main.main", Alive: 1, First: 1, Made: 1, Oldest: 2 * time.Hour,
				Waits: []report.GoWait{{Reason: "sync.WaitGroup.Wait", Place: "main.go:88", Count: 1}}}}}
}

// Alt+I surveys the goroutines, and lists them by go statement.
func TestListOfGoroutines(t *testing.T) {
	s, of := locked(t), &surveyed{}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("goroutines")
	settled(t, p, 1280, 700, 1)
	if all := strings.Join(wordsOf(p, 1280, 700), "\n"); !strings.Contains(all, "nobody has surveyed the goroutines") {
		t.Errorf("without a survey: got %q; want how to make one", all)
	}
	p.Run("goroutines")
	of.made = leaking()
	s.SetSources(func(c *process.Sources) { c.Goroutines = of })
	p.Run("goroutines")
	settled(t, p, 1280, 700, 1)
	golden.Picture(t, "goroutines.png", paint(t, p, 1280, 700, 1))
	q, want := p.State(), "main.(*pool).start pool.go:31,4210,4300,90,2.0 h,5 min,all wait in chan send at pool.go:40"
	if got := strings.Join(q.ListRow, ","); q.List != "goroutines" || q.Listed != 3 || got != want {
		t.Fatalf("got %d rows of %q, the first %q; want %q", q.Listed, q.List, got, want)
	}
	p.Run("down")
	want = `main.serve \x1bserver.go:9,17,400,383,60 s,,12 in IO wait at server.go:14, 5 running`
	if got := strings.Join(p.State().ListRow, ","); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	var out bytes.Buffer
	c, _ := p.Command("goroutines")
	wrong, _ := c.Run(s, &out, "chan send")
	want = "main.(*pool).start pool.go:31: 4210 alive, 4300 made, 90 ended; all wait in chan send at pool.go:40"
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); wrong != nil || len(lines) != 2 ||
		!strings.HasPrefix(lines[0], "they only become more: main.(*pool).start pool.go:31: 4210 alive, 10 at first") ||
		lines[1] != want {
		t.Errorf("typed: got %v, %q; want the growth, and the statement with the word", wrong, out.String())
	}
	of.made, of.err = nil, errors.New("too many")
	out.Reset()
	if _, _ = c.Run(s, &out, ""); out.String() != "too many\n" {
		t.Errorf("of too many: got %q; want why there is no list", out.String())
	}
}
