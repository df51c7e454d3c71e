//go:build iprof_off

package measure

import (
	"sync"

	"example.com/iprof/platform"
)

// Enabled is false: the program was built with the tag iprof_off. Then this package does nothing.
const Enabled = false

// Zone is a zone that measures nothing.
type Zone struct {
	_             [0]sync.Mutex
	Name          string
	Idle, Blocked bool
	Computes      bool
	Loose         bool
	_             [12]byte
}

// Begin does nothing.
func (z *Zone) Begin() Scope { return Scope{} }

// Live reports false.
func (z *Zone) Live() bool { return false }

// In does nothing.
func (z *Zone) In(*Lane) Scope { return Scope{} }

// Span runs the block once.
func (z *Zone) Span(yield func() bool) { yield() }

// Scope is open nowhere.
type Scope struct{}

// End does nothing.
func (Scope) End() {}

// Text does nothing.
func (Scope) Text(string) {}

// Value does nothing.
func (Scope) Value(float64) {}

// Held is open nowhere.
type Held struct{}

// Hold does nothing.
func (z *Zone) Hold() Held { return Held{} }

// Keep does nothing.
func (Held) Keep(bool) {}

// KeepIf does nothing.
func (Held) KeepIf(*bool) {}

// Discard does nothing.
func Discard() {}

// SetWatched does nothing.
func SetWatched(bool) {}

// LeaveOut does nothing.
func LeaveOut(bool) {}

// LeaveOutHeap does nothing.
func LeaveOutHeap(int) (end func()) { return func() {} }

// TookHeap does nothing.
func TookHeap(int, int) {}

// Watched reports false.
func Watched() bool { return false }

// ID returns 0 and false.
func (z *Zone) ID() (id ZoneID, known bool) { return 0, false }

// SetPerCall does nothing.
func (z *Zone) SetPerCall(bool) {}

// SetPerCallOf does nothing.
func SetPerCallOf(ZoneID, bool) {}

// WantCalls does nothing.
func WantCalls(ZoneID) (release func()) { return func() {} }

// AppendCalls returns dst.
func AppendCalls(dst []Calls) []Calls { return dst }

// CountsCalls returns false.
func CountsCalls() bool { return false }

// AppendCounted returns dst.
func AppendCounted(dst []Calls) []Calls { return dst }

// SetEvents does nothing.
func SetEvents(int) {}

// AppendEvents returns dst.
func AppendEvents(dst []Event, _ LaneID, _, _ platform.Ticks) []Event { return dst }

// EventsSince returns 0 and false.
func EventsSince(LaneID) (since platform.Ticks, kept bool) { return 0, false }

// EventCopy is empty.
type EventCopy struct{}

// Take returns false.
func (*EventCopy) Take(_, _ platform.Ticks) bool { return false }

// TakeBriefly returns false.
func (*EventCopy) TakeBriefly(_, _ platform.Ticks) bool { return false }

// Drop does nothing.
func (*EventCopy) Drop() {}

// AppendEvents returns dst.
func (*EventCopy) AppendEvents(dst []Event, _ LaneID, _, _ platform.Ticks) []Event { return dst }

// EventsSince returns 0 and false.
func (*EventCopy) EventsSince(LaneID) (since platform.Ticks, kept bool) { return 0, false }

// Lanes returns 0.
func (*EventCopy) Lanes() int { return 0 }

// Len returns 0.
func (*EventCopy) Len() int { return 0 }

// Events returns 0.
func Events() int { return 0 }

// OnNextEntry does nothing.
func OnNextEntry(f func(entered *Zone) (done bool)) {}

// Underway returns nothing.
func Underway() (frame uint64, zoneNames []string) { return 0, nil }

// OwnLane returns 0.
func OwnLane() LaneID { return 0 }

// EndUpdate does nothing.
func EndUpdate(Scope) {}

// EndElsewhere does nothing.
func EndElsewhere(Scope) {}

// Set is a set of frames without measurements.
type Set struct{}

// MostSets limits the sets of frames.
const MostSets = 4

// NewSet returns nil.
func NewSet() *Set { return nil }

// Collect empties f.
func (*Set) Collect(f *Frame) { Collect(f) }

// Peek empties f.
func (*Set) Peek(f *Frame) { Peek(f) }

// PeekEach empties f.
func (*Set) PeekEach(f *Frame, see func(l *LaneFrame)) { PeekEach(f, see) }

// Begin returns 0.
func (*Set) Begin() (now platform.Ticks) { return 0 }

// RefusedSets returns 0.
func RefusedSets() uint64 { return 0 }

// OpenSite does nothing.
func OpenSite(*platform.Slot, platform.Ticks, uintptr, string) Scope { return Scope{} }

// CountSite does nothing.
func CountSite(*platform.Slot, platform.Ticks, uintptr, string) Scope { return Scope{} }

// SetMuted does nothing.
func SetMuted(ZoneID, bool) {}

// Muted returns false.
func Muted(ZoneID) bool { return false }

// SetMuted does nothing.
func (z *Zone) SetMuted(bool) {}

// SetOverheadLimit does nothing.
func SetOverheadLimit(float64) {}

// OverheadLimit returns 0.
func OverheadLimit() float64 { return 0 }

// Lane measures nothing.
type Lane struct{}

// Register returns nil, which is a valid Lane.
func Register(string) *Lane { return nil }

// Close does nothing.
func (*Lane) Close() {}

// ID returns 0.
func (*Lane) ID() LaneID { return 0 }

// Name returns "".
func (*Lane) Name() string { return "" }

// SetAutoRegister does nothing.
func SetAutoRegister(bool) {}

// SetRecording does nothing.
func SetRecording(bool) {}

// Recording returns false.
func Recording() bool { return false }

// SetLimits does nothing.
func SetLimits(Limits) {}

// MemoryUsed returns zero.
func MemoryUsed() MemoryUse { return MemoryUse{} }

// Alloc does nothing.
func Alloc(int) {}

// Free does nothing.
func Free(int) {}

// Units does nothing.
func Units(int) {}

// Count does nothing.
func Count(string) {}

// CountN does nothing.
func CountN(string, int) {}

// Value does nothing.
func Value(string, float64) {}

// Mark does nothing.
func Mark(string) {}

// Section does nothing.
func Section(string) {}

// AddState does nothing.
func AddState(LaneState) {}

// SetMemoryMode does nothing.
func SetMemoryMode(MemoryMode) {}

// Memory returns MemoryOff.
func Memory() MemoryMode { return MemoryOff }

// Calibrate returns 0.
func Calibrate() platform.Ticks { return 0 }

// ForeignLane measures nothing.
type ForeignLane struct{}

// ForeignScope is one scope of a ForeignLane.
type ForeignScope struct {
	Zone       *Zone          // only for this lane, because reports merge equal paths of all lanes
	Begin, End int64          // readings of the foreign clock
	Level      int            // number of enclosing scopes: 0 is outermost
	Issued     platform.Ticks // platform.Now when the program gave the work to the device
}

// NewForeignLane returns nil, which is a valid ForeignLane.
func NewForeignLane(string, float64) *ForeignLane { return nil }

// ID returns 0.
func (*ForeignLane) ID() LaneID { return 0 }

// Calibrate does nothing.
func (*ForeignLane) Calibrate(int64, platform.Ticks) {}

// Drift returns 0.
func (*ForeignLane) Drift() float64 { return 0 }

// Know does nothing.
func (*ForeignLane) Know(*Zone) {}

// Wait does nothing.
func (*ForeignLane) Wait(platform.Ticks) {}

// Add does nothing.
func (*ForeignLane) Add([]ForeignScope) {}

// Drop does nothing.
func (*ForeignLane) Drop(int) {}

// Close does nothing.
func (*ForeignLane) Close() {}

// Complete returns true.
func Complete(*Frame, bool) bool { return true }

var nothing = []ZoneInfo{{Name: "(root)"}}

// Collect empties f.
func Collect(f *Frame) { *f = Frame{TicksPerSecond: 1, Zones: nothing} }

// CollectPaused empties f.
func CollectPaused(f *Frame, paused bool) { Collect(f) }

// CollectReset empties f.
func CollectReset(f *Frame) { Collect(f) }

// Peek empties f.
func Peek(f *Frame) { Collect(f) }

// PeekEach fills f as Collect does, and calls nothing.
func PeekEach(f *Frame, _ func(l *LaneFrame)) { Collect(f) }

// Replayed is the beginning or the end of an entry.
type Replayed struct {
	Zone *Zone
	At   platform.Ticks
}

// Replay does nothing.
func Replay(open []Scope, list []Replayed) []Scope { return open }

// LogTypes returns none.
func LogTypes() []any { return nil }
