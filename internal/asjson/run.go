package asjson

// Run describes a run of a program, beside its dump: see iprof run.
type Run struct {
	Ended    bool    `json:"ended"` // without a kill
	Headline Text    `json:"headline"`
	Profiler float64 `json:"profiler_ms"`

	ProfilerLow  float64 `json:"profiler_low_ms,omitempty"` // of the interval for the true time
	ProfilerHigh float64 `json:"profiler_high_ms,omitempty"`

	Waits   []Wait `json:"waits"` // zones with a large part of self time spent waiting
	Hottest []Line `json:"hottest_lines"`
	Sampled int    `json:"samples"` // of the CPU profiler, in all

	Outside map[string]int `json:"samples_outside_zones"` // of Sampled, by package
	Muted   []Muted        `json:"muted"`
	Routes  []Route        `json:"routes"`
}

// Wait is a zone that waited.
type Wait struct {
	Zone Text `json:"zone"`
	Site
	Self   float64 `json:"self_ms"`
	Waited float64 `json:"waited_ms"`       // of Self
	Error  float64 `json:"waited_error_ms"` // standard error, if samples say it; 0: it waited at least so long
}

// Line is a line of the source that samples were in.
type Line struct {
	Zone Text `json:"zone"`
	Site
	Samples int `json:"samples"`
}

// Muted is a function whose zone was muted.
type Muted struct {
	Zone Text `json:"zone"`
	Site
}

// Route is a route of a server.
type Route struct {
	Route    Text    `json:"route"`
	Requests int     `json:"requests"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
}
