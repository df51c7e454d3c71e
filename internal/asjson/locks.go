package asjson

import "example.com/iprof/process/report"

// Lock is a lock for which goroutines waited.
type Lock struct {
	Name         Text          `json:"name"`
	Place        Text          `json:"place,omitempty"`
	Waits        uint64        `json:"waits"`
	Time         float64       `json:"time_ms"`
	Waiter       Text          `json:"waiter,omitempty"`
	Waiters      int           `json:"waiters,omitempty"`
	Holder       Text          `json:"released_by,omitempty"`
	At           Text          `json:"released_at,omitempty"`
	Held         float64       `json:"released_ms,omitempty"`
	Longest      float64       `json:"longest_ms,omitempty"`
	LongestLane  report.LaneID `json:"longest_lane,omitempty"`
	LongestFrame *uint64       `json:"longest_frame,omitempty"`
}

func lockOf(k report.Lock) Lock {
	l := Lock{Text(k.Name), Text(k.Place), k.Count, finite(k.Time), Text(k.Waiter), k.Waiters, Text(k.Holder),
		Text(k.At), finite(k.Held), finite(k.Longest.Time), k.Longest.Lane, nil}
	if k.Longest.HasFrame {
		l.LongestFrame = &k.Longest.Frame
	}
	return l
}
