package html_test

import (
	"testing"
	"time"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// Goroutines are a table by go statement. A live page without a survey offers one.
func TestGoroutinesAreATable(t *testing.T) {
	d := sampledump.Game()
	d.Survey = &report.Goroutines{At: d.Time.UnixNano() - 90e9, Alive: 4218, Surveys: 12,
		Took: 17 * time.Millisecond, Unlisted: 3,
		Statements: []report.GoStatement{
			{Crowd: "main.(*</td>pool).start pool.go:31", Alive: 4210, First: 10, Rises: 11, Made: 4300, Ended: 90,
				Oldest: 2 * time.Hour, Rested: 5 * time.Minute,
				Waits: []report.GoWait{{Reason: "chan send", Place: "pool.go:40", Count: 4210}}},
			{Crowd: "main.main", Alive: 1, First: 1, Made: 1, Oldest: 40 * time.Second,
				Waits: []report.GoWait{{Reason: "running", Count: 1}}}}}
	doc := page(t, d, html.Options{})
	has(t, "goroutines", words(section(doc, "goroutines")), "Goroutines 4\u2009218 alive goroutines "+
		"by go statement go statement",
		"main.(*&lt;/td&gt;pool).start pool.go:31 4\u2009210 4\u2009300 90 2.0 h 5 min all wait in chan send at "+
			"pool.go:40",
		"main.main 1 1 0 40 s - 1 running", "90 s ago; the program stood still for up to 17.00 ms",
		"3 more are not listed")
	d.Survey = nil
	if section(page(t, d, html.Options{Live: true}), "goroutines") != "" {
		t.Error("got goroutines of a program that cannot be surveyed")
	}
	has(t, "an offer", section(page(t, d, html.Options{Live: true, Survey: true}), "goroutines"),
		`<a href="?goroutines=1#goroutines">List them</a>`)
}
