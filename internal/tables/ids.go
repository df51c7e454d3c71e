package tables

import (
	"fmt"
	"strconv"
	"strings"

	"example.com/iprof/gather"
)

// IDs choose single things of a file: a zone (z17), a lane (l3), a frame (f120) and a call (c120.3.7: in frame 120, on
// lane 3, the seventh that ended). They stay the same for a file. The zero IDs choose everything.
type IDs struct {
	Zone  gather.ZoneID
	Lane  gather.LaneID
	Frame uint64
	Call  uint64 // of those that ended in the frame on the lane, from 1; 0: every one

	zoned, laned, framed bool
}

// ParseIDs reads ids with commas between.
func ParseIDs(words string) (ids IDs, err error) {
	for word := range strings.SplitSeq(words, ",") {
		if word = strings.TrimSpace(word); word != "" && !ids.take(word) {
			return ids, fmt.Errorf("%q is no id; there are z17 of a zone, l3 of a lane, f120 of a frame and c120.3.7 "+
				"of a call, as -json and the rows have them", word)
		}
	}
	return ids, nil
}

// take reads one id.
func (ids *IDs) take(word string) bool {
	numbers := strings.Split(word[1:], ".")
	var n [3]uint64
	if len(numbers) > len(n) {
		return false
	}
	for i, text := range numbers {
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return false
		}
		n[i] = v
	}
	switch kind := word[0]; {
	case kind == 'z' && len(numbers) == 1 && n[0] < 1<<31:
		ids.Zone, ids.zoned = gather.ZoneID(n[0]), true
	case kind == 'l' && len(numbers) == 1:
		ids.Lane, ids.laned = gather.LaneID(n[0]), true
	case kind == 'f' && len(numbers) == 1:
		ids.Frame, ids.framed = n[0], true
	case kind == 'c' && len(numbers) == 3 && n[2] > 0:
		*ids = IDs{ids.Zone, gather.LaneID(n[1]), n[0], n[2], ids.zoned, true, true}
	default:
		return false
	}
	return true
}

// OneZone returns the zone that the ids choose.
func (ids IDs) OneZone() (zone gather.ZoneID, chosen bool) { return ids.Zone, ids.zoned }

// WithoutZone returns the ids with every zone.
func (ids IDs) WithoutZone() IDs {
	ids.Zone, ids.zoned = 0, false
	return ids
}

// WithoutCall returns the ids with every call.
func (ids IDs) WithoutCall() IDs {
	ids.Call = 0
	return ids
}

// OneLane returns the lane that the ids choose.
func (ids IDs) OneLane() (lane gather.LaneID, chosen bool) { return ids.Lane, ids.laned }

// OneFrame returns the frame that the ids choose.
func (ids IDs) OneFrame() (frame uint64, chosen bool) { return ids.Frame, ids.framed }

// String returns the ids as ParseIDs reads them.
func (ids IDs) String() string {
	if ids.Call > 0 {
		return fmt.Sprintf("c%d.%d.%d", ids.Frame, ids.Lane, ids.Call)
	}
	var words []string
	for _, id := range []struct {
		has  bool
		kind string
		n    uint64
	}{{ids.zoned, "z", uint64(ids.Zone)}, {ids.laned, "l", uint64(ids.Lane)}, {ids.framed, "f", ids.Frame}} {
		if id.has {
			words = append(words, id.kind+strconv.FormatUint(id.n, 10))
		}
	}
	return strings.Join(words, ",")
}
