package importer

import (
	"slices"
	"strings"

	"example.com/iprof/internal/printed"
)

// Count is the number of a file's events of one kind, such as "ends without a begin".
type Count struct {
	Description string `json:"what"`
	Count       int    `json:"count"`
}

// counts has kinds in the order of their first event.
type counts []Count

// add counts n more. There are few kinds.
func (c *counts) add(what string, n int) {
	if n == 0 {
		return
	}
	for i := range *c {
		if (*c)[i].Description == what {
			if (*c)[i].Count += n; (*c)[i].Count == 0 {
				*c = slices.Delete(*c, i, i+1)
			}
			return
		}
	}
	if len(*c) == mostKinds {
		what = "of other kinds"
		(*c)[mostKinds-1].Description = what
		(*c)[mostKinds-1].Count += n
		return
	}
	*c = append(*c, Count{what, n})
}

// mostKinds bounds the number of kinds, because a file may have any number.
const mostKinds = 40

func (c counts) String() string {
	var parts []string
	for _, k := range c {
		parts = append(parts, counted(k.Count, k.Description))
	}
	return strings.Join(parts, ", ")
}

// counted returns a number with its noun. The noun's first word ends in s.
func counted(n int, what string) string {
	noun, rest, more := strings.Cut(what, " ")
	if noun = printed.Count(n, strings.TrimSuffix(noun, "s")); more {
		noun += " " + rest
	}
	return noun
}

// The kinds of events that are left out or changed, and counted.
const (
	leftEnds      = "ends without a begin"
	leftBegins    = "begins without an end in a file that has no ends"
	leftNoJSON    = "events not in JSON"
	leftWord      = "events with a word that is not JSON, such as inf"
	leftNoEvent   = "values in the list beside events"
	leftKind      = "events without a kind (ph)"
	leftType      = "events with a name, a process or a thread of a wrong type"
	leftTime      = "events whose time (ts) is not a number"
	leftLarge     = "events whose time (ts) is too large"
	leftDuration  = "slices whose duration (dur) is not a number"
	leftLong      = "slices whose duration (dur) is over 192 years"
	leftStray     = "events far from all others in time, or far longer"
	leftEarly     = "events before the recording began"
	leftBefore    = "events before the first frame"
	leftAfter     = "events long after the last frame"
	leftDeep      = "slices below the limit of depth (more with -limits depth=N)"
	leftMarks     = "marks beyond 256 in a frame"
	leftOutside   = "marks and values outside the time of all slices"
	leftFlows     = "flow events without a slice at the other end"
	leftHidden    = "flows to a moment that already has one"
	leftCounters  = "counter events without a number"
	leftObjects   = "snapshots of objects"
	leftSamples   = "samples of stacks"
	leftSample    = "samples without a time or a stack"
	leftDumps     = "memory dumps without sums of a process"
	leftClocks    = "clock syncs"
	leftOther     = "events of an unknown kind"
	leftStates    = "states beyond 4096 in a frame"
	changedOpen   = "slices without an end, ended with the slice around"
	changedStart  = "slices cut at their beginning, which is before the first frame"
	changedBelow  = "slices whose duration (dur) is below 0, taken for 0"
	changedCut    = "slices cut by an overlap of at most 1 us"
	changedBeside = "slices moved to another lane because of an overlap"
	changedTracks = "slices cut because over 100 overlap at a time"
)
