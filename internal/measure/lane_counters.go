//go:build !iprof_off

package measure

import "example.com/iprof/internal/measure/internal/counters"

// counterTable holds the names of counts and levels, and the counts of goroutines without a lane.
var counterTable counters.Table
