package framefile

import (
	"encoding/binary"
	"math"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// frameScalars is the number of numbers of a frame besides those of its lanes. Their order is part of the format, so
// new numbers go to the end.
const frameScalars = 45

// scalarsOf returns a frame's numbers in the order of the format. A 0 is the place of a number that is no longer used.
func scalarsOf(f *gather.Frame, budget time.Duration) [frameScalars]uint64 {
	m, u, d := &f.Memory, &f.Misuse, &f.Dropped
	return [frameScalars]uint64{
		f.Index, uint64(f.Begin), uint64(f.End), uint64(f.Between), math.Float64bits(f.TicksPerSecond),
		uint64(f.ScopeCost), uint64(f.InsideCost), uint64(f.CountCost), 0, math.Float64bits(f.OverheadLimit),
		m.AllocBytes, m.AllocObjects, m.HeapLive, uint64(m.Cycles), uint64(m.Pause), uint64(m.Mode), uint64(m.Cost),
		u.ExtraEnd, u.MissingEnd, u.OtherLane, u.ClockBack, u.ClockJump, u.DeferInLoop,
		d.Names, d.Nodes, d.Lanes, d.Events, d.Counters, d.LongNames,
		d.Memory, uint64(budget), d.Foreign, d.Late, uint64(m.RunQueue), uint64(m.LockWait),
		uint64(f.CPU), d.States, uint64(f.Clock.Source), uint64(f.Clock.Reading), flag(f.EventDriven), uint64(m.Assist),
		uint64(f.Away.Time), uint64(f.Away.Known),
		f.Origin.Program, uint64(f.Origin.Clock),
	}
}

// setScalars is the inverse of scalarsOf. s[8] is not used; s[30] is the frame budget.
func setScalars(f *gather.Frame, s *[frameScalars]uint64) {
	f.Index = s[0]
	f.Begin = platform.Ticks(s[1])
	f.End = platform.Ticks(s[2])
	f.Between = platform.Ticks(s[3])
	f.TicksPerSecond = math.Float64frombits(s[4])
	f.ScopeCost, f.InsideCost, f.CountCost = platform.Ticks(s[5]), platform.Ticks(s[6]), platform.Ticks(s[7])
	f.EventDriven, f.Origin = s[39] != 0, gather.Origin{Program: s[43], Clock: uint32(s[44])}
	f.OverheadLimit, f.CPU = math.Float64frombits(s[9]), time.Duration(s[35])
	f.Away = gather.Away{Time: time.Duration(s[41]), Known: gather.AwayKnown(min(s[42], uint64(gather.AwayExact)))}
	f.Clock.Source, f.Clock.Reading = platform.Source(min(s[37], uint64(platform.SourceProgram))), time.Duration(s[38])
	f.Memory = gather.MemoryFrame{
		AllocBytes: s[10], AllocObjects: s[11], HeapLive: s[12], Cycles: uint32(s[13]), Pause: time.Duration(s[14]),
		Mode: gather.MemoryMode(min(s[15], measure.NumMemoryModes-1)), Cost: platform.Ticks(s[16]),
		RunQueue: time.Duration(s[33]), LockWait: time.Duration(s[34]), Assist: time.Duration(s[40]),
	}
	f.Misuse = gather.Misuse{
		ExtraEnd: s[17], MissingEnd: s[18], OtherLane: s[19], ClockBack: s[20], ClockJump: s[21], DeferInLoop: s[22],
	}
	f.Dropped = gather.Dropped{
		Names: s[23], Nodes: s[24], Lanes: s[25], Events: s[26], Counters: s[27], LongNames: s[28],
		Memory: s[29], Foreign: s[31], Late: s[32], States: s[36],
	}
}

// The places of the frame budget, and of the number of the program.
const (
	budgetScalar  = 30
	programScalar = 43
)

// flag returns 1 if set, else 0.
func flag(set bool) uint64 {
	if set {
		return 1
	}
	return 0
}

// laneScalars is the number of numbers of a lane in a frame.
const laneScalars = 11

func laneScalarsOf(l *gather.LaneFrame) [laneScalars]uint64 {
	return [laneScalars]uint64{
		flag(l.Updater), uint64(l.Begin), uint64(l.End), l.Untimed, uint64(l.Slow), uint64(l.ScopeCost),
		uint64(l.CountCost), flag(l.Device), l.Goroutine, uint64(l.CPU),
		math.Float64bits(l.Drift),
	}
}

func setLaneScalars(l *gather.LaneFrame, s *[laneScalars]uint64) {
	l.Updater, l.Begin, l.End = s[0] != 0, platform.Ticks(s[1]), platform.Ticks(s[2])
	l.Untimed, l.Slow = s[3], platform.Ticks(s[4])
	l.ScopeCost, l.CountCost = platform.Ticks(s[5]), platform.Ticks(s[6])
	l.Device, l.Goroutine, l.CPU = s[7] != 0, s[8], time.Duration(s[9])
	l.Drift = math.Float64frombits(s[10])
}

// extraScalars is the number of numbers of a NodeExtra besides its node.
const extraScalars = 12

func extraScalarsOf(x *gather.NodeExtra) [extraScalars]uint64 {
	return [extraScalars]uint64{
		uint64(x.More), x.Errors, x.Allocs, x.AllocBytes, x.Frees, x.FreeBytes, x.Units,
		x.HeapObjects, x.HeapBytes, uint64(x.Estimated), math.Float64bits(x.Variance), 0,
	}
}

func setExtraScalars(x *gather.NodeExtra, s *[extraScalars]uint64) {
	x.More, x.Errors = uint32(s[0]), uint64(uint32(s[1]))
	x.Allocs = s[2]
	x.AllocBytes = s[3]
	x.Frees = s[4]
	x.FreeBytes = s[5]
	x.Units = s[6]
	x.HeapObjects, x.HeapBytes = s[7], s[8]
	x.Estimated, x.Variance = gather.Estimated(min(s[9], uint64(gather.EstimatedTime))), math.Float64frombits(s[10])
}

func appendExtras(p []byte, extras []gather.NodeExtra) []byte {
	p = binary.AppendUvarint(p, uint64(len(extras)))
	for i := range extras {
		p = binary.AppendUvarint(p, uint64(extras[i].Node))
		var zero [extraScalars]uint64
		now := extraScalarsOf(&extras[i])
		p = appendChanged(p, now[:], zero[:])
	}
	return p
}

// appendChanged appends the numbers in now that differ from before: a bit mask of their places, and their differences.
// It copies now to before.
func appendChanged(dst []byte, now, before []uint64) []byte {
	mask := uint64(0)
	for i := range now {
		if now[i] != before[i] {
			mask |= 1 << i
		}
	}
	dst = binary.AppendUvarint(dst, mask)
	for i := range now {
		if now[i] != before[i] {
			dst = binary.AppendVarint(dst, int64(now[i]-before[i]))
		}
	}
	copy(before, now)
	return dst
}

// changed is the inverse of appendChanged. It skips numbers of a newer minor version.
func (d *decoder) changed(values []uint64) {
	for i, mask := 0, d.uvarint(); mask != 0; i, mask = i+1, mask>>1 {
		if mask&1 == 0 {
			continue
		}
		if difference := uint64(d.varint()); i < len(values) {
			values[i] += difference
		}
	}
}
