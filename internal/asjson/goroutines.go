package asjson

import (
	"time"

	"example.com/iprof/process/report"
)

// Goroutines is a survey of goroutines.
type Goroutines struct {
	At         time.Time     `json:"at"`
	Since      float64       `json:"since_s"`
	Surveys    int           `json:"surveys"`
	Took       float64       `json:"took_ms"`
	Alive      int           `json:"alive"`
	Unlisted   int           `json:"not_listed,omitempty"`
	ByFunction bool          `json:"by_function,omitempty"`
	LeaksFound bool          `json:"leaks_searched,omitempty"`
	Statements []GoStatement `json:"go_statements"`
}

// GoStatement has the goroutines of a go statement.
type GoStatement struct {
	Crowd  Text     `json:"place"`
	Alive  int      `json:"alive"`
	First  int      `json:"at_first"`
	Rises  int      `json:"rises,omitempty"`
	Made   uint64   `json:"made,omitempty"`
	Ended  uint64   `json:"ended,omitempty"`
	Oldest float64  `json:"oldest_s,omitempty"`
	Rested int      `json:"rested_min,omitempty"`
	Leaked int      `json:"leaked,omitempty"`
	Waits  []GoWait `json:"waits,omitempty"`
}

// GoWait is what goroutines wait for.
type GoWait struct {
	Reason Text `json:"reason"`
	Place  Text `json:"place,omitempty"`
	Count  int  `json:"count"`
}

// goroutinesOf returns nil without a survey.
func goroutinesOf(g *report.Goroutines) *Goroutines {
	if g == nil {
		return nil
	}
	out := &Goroutines{At: time.Unix(0, g.At).UTC(), Since: g.Since.Seconds(), Surveys: g.Surveys,
		Took: float64(g.Took) / float64(time.Millisecond), Alive: g.Alive, Unlisted: g.Unlisted,
		ByFunction: g.ByFunction, LeaksFound: g.LeaksFound, Statements: make([]GoStatement, len(g.Statements))}
	for i := range g.Statements {
		s := &g.Statements[i]
		out.Statements[i] = GoStatement{Text(s.Crowd), s.Alive, s.First, s.Rises, s.Made, s.Ended, s.Oldest.Seconds(),
			int(s.Rested / time.Minute), s.Leaked, nil}
		for _, w := range s.Waits {
			out.Statements[i].Waits = append(out.Statements[i].Waits, GoWait{Text(w.Reason), Text(w.Place), w.Count})
		}
	}
	return out
}
