package listing

import (
	"strconv"
	"time"

	"example.com/iprof/draw/text"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer/internal/list"
)

// goroutineColumns are the columns of the list of goroutines.
var goroutineColumns = []list.Column{
	{Heading: "go statement", Tip: "the function and the line that started them", Width: 250},
	{Heading: "alive", Tip: "how many there are now", Width: 70, Number: true},
	{Heading: "made", Tip: "found since the first survey", Width: 70, Number: true},
	{Heading: "ended", Tip: "of those, how many are gone", Width: 70, Number: true},
	{Heading: "oldest", Tip: "how long the oldest has lived, at least", Width: 80, Number: true},
	{Heading: "at rest", Tip: "none of them has run for so long", Width: 80, Number: true},
	{Heading: "wait for", Tip: "what most of them wait for, and where"},
}

// Goroutines surveys the goroutines of the program, and lists them by go statement. Of another program it lists the
// latest survey.
func Goroutines(v *process.View) *Content {
	sources := v.Session().Sources()
	c := &Content{Title: "goroutines", Columns: goroutineColumns, By: 1,
		None: "nobody has surveyed the goroutines of this program: its page does, at ?goroutines=1"}
	g := sources.Survey
	if sources.Goroutines != nil {
		var err error
		if g, err = sources.Goroutines.Survey(false); err != nil {
			c.None = err.Error()
		}
	}
	if g == nil {
		return c
	}
	for i := range g.Statements {
		s := &g.Statements[i]
		c.Rows = append(c.Rows, list.Row{Frame: NoFrame, At: i, Words: goroutineWords(s),
			Keys: []float64{0, float64(s.Alive), float64(s.Made), float64(s.Ended), s.Oldest.Seconds(),
				s.Rested.Seconds(), 0}})
		c.Calls = append(c.Calls, timeline.Call{Frame: NoFrame})
	}
	c.Note = "survey " + strconv.Itoa(g.Surveys) + ": " + strconv.Itoa(g.Alive) +
		" alive; it stopped the program for " + Reading(v.Info().Tick)(g.Took.Seconds()*1000)
	if s := g.Growing(); s != nil {
		c.Note = "they only become more: " + string(s.AppendGrowth(nil, text.Name))
	}
	return c
}

// goroutineWords are the words of a go statement's row.
func goroutineWords(s *report.GoStatement) []string {
	age := func(d time.Duration) string {
		if d <= 0 {
			return ""
		}
		return string(report.AppendAge(nil, d))
	}
	waits := string(s.AppendWaits(nil, text.Name))
	if s.Leaked > 0 {
		waits = strconv.Itoa(s.Leaked) + " leaked, " + waits
	}
	return []string{text.Name(s.Crowd), strconv.Itoa(s.Alive), strconv.FormatUint(s.Made, 10),
		strconv.FormatUint(s.Ended, 10), age(s.Oldest), age(s.Rested), waits}
}
