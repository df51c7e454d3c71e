package asjson

// Comparison is the difference between two runs, or between two sets of runs.
type Comparison struct {
	Unit     string   `json:"unit"` // of the times: "ms a frame", "ms a second" or "ms"
	Method   string   `json:"method,omitempty"`
	Machines *[2]int  `json:"machines,omitempty"` // of two sets
	Slower   int      `json:"slower"`
	Busy     []string `json:"busy_machine,omitempty"` // how many frames were disturbed
	Changes  []Change `json:"changes"`
}

// Change is the difference of a zone, or of the whole frame, which is first. Times are self times.
type Change struct {
	Zone Text `json:"zone"`
	Site
	Caller  Text     `json:"caller,omitempty"` // the caller with most of the change
	Before  float64  `json:"before_ms"`
	After   float64  `json:"after_ms"`
	Noise   *float64 `json:"noise_ms,omitempty"` // a change up to this may be chance
	Evened  bool     `json:"evened,omitempty"`   // times are scaled to equally fast machines
	Chance  *float64 `json:"p,omitempty"`        // of two sets: the probability of such a difference by chance
	Verdict string   `json:"verdict"`
}
