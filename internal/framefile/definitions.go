package framefile

import (
	"encoding/binary"
	"slices"

	"example.com/iprof/gather"
)

// Definitions have the data of frames that lasts beyond a key, as readers have it. Lists are never changed.
type Definitions struct {
	program     uint64 // gather.Origin.Program
	zones       []gather.ZoneInfo
	counters    []gather.CounterInfo
	notes       []string // sentences about misuse
	clockReason string   // reason for the clock
	budgets     []gather.ZoneBudget
	Unsure      bool // readers may have others than notes, why and budgets
}

// Append appends the chunks that readers need to get from d to other, and sets d to other.
func (d *Definitions) Append(dst []byte, other *Definitions) []byte {
	if d.program != other.program {
		*d = Definitions{program: other.program}
	}
	if len(other.zones) > len(d.zones) {
		dst = appendZones(dst, other.zones, len(d.zones))
		d.zones = other.zones
	}
	if len(other.counters) > len(d.counters) {
		dst = appendCounters(dst, other.counters, len(d.counters))
		d.counters = other.counters
	}
	if n := len(other.notes); n > 0 && (d.Unsure || len(d.notes) == 0 || d.notes[len(d.notes)-1] != other.notes[n-1]) {
		d.notes = slices.Clone(other.notes)
		dst = appendNotes(dst, d.notes)
	}
	if other.clockReason != d.clockReason || d.Unsure {
		d.clockReason = other.clockReason
		dst = appendChunk(dst, chunkClock, appendString(nil, d.clockReason))
	}
	if d.Unsure || !slices.Equal(other.budgets, d.budgets) {
		d.budgets = other.budgets
		dst = appendBudgets(dst, d.budgets)
	}
	d.Unsure = false
	return dst
}

// definitionsOf returns a frame's definitions, for readers who already know some zones. Budgets of zones that were
// entered for the first time after the frame are left out: the session has set the list later.
func definitionsOf(f *gather.Frame, known int) Definitions {
	budgets, known := f.Budgets, max(len(f.Zones), known)
	unknown := func(b gather.ZoneBudget) bool { return int(b.Zone) >= known }
	if slices.ContainsFunc(budgets, unknown) {
		budgets = slices.DeleteFunc(slices.Clone(budgets), unknown)
	}
	return Definitions{program: f.Origin.Program, zones: f.Zones, counters: f.Counters, notes: f.Misuse.Notes,
		clockReason: f.Clock.Why, budgets: budgets}
}

func appendZones(dst []byte, zones []gather.ZoneInfo, from int) []byte {
	p := binary.AppendUvarint(nil, uint64(from))
	for _, z := range zones[from:] {
		p = appendString(appendString(appendString(p, z.Name), z.Function), z.File)
		p = binary.AppendUvarint(p, uint64(max(z.Line, 0)))
		flags := byte(0)
		if z.Public {
			flags |= 1
		}
		if z.Idle {
			flags |= 2
		}
		if z.Blocked {
			flags |= 4
		}
		if z.Computes {
			flags |= 8
		}
		p = append(p, flags)
	}
	return appendChunk(dst, chunkZones, p)
}

func appendCounters(dst []byte, counters []gather.CounterInfo, from int) []byte {
	p := binary.AppendUvarint(nil, uint64(from))
	for _, c := range counters[from:] {
		p = append(appendString(p, c.Name), byte(flag(c.Level)))
	}
	return appendChunk(dst, chunkCounts, p)
}

func appendNotes(dst []byte, notes []string) []byte {
	p := binary.AppendUvarint(nil, uint64(len(notes)))
	for _, n := range notes {
		p = appendString(p, n)
	}
	return appendChunk(dst, chunkNotes, p)
}

func appendBudgets(dst []byte, budgets []gather.ZoneBudget) []byte {
	var p []byte
	for _, b := range budgets {
		p = binary.AppendUvarint(binary.AppendUvarint(p, uint64(b.Zone)), uint64(b.Budget))
	}
	return appendChunk(dst, chunkBudgets, p)
}
