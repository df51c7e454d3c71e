package process

import (
	"sync"
	"time"

	"example.com/iprof/gather"
)

// Session is history, view and controls of one program's frames.
type Session struct{ mu sync.Mutex }

var standard Session

// NewSession returns an empty session.
func NewSession() *Session { return new(Session) }

// Default returns the program's own session.
func Default() *Session { return &standard }

func (s *Session) Update()                                                           {}
func (s *Session) BeginFrame(label string)                                           {}
func (s *Session) EndFrame()                                                         {}
func (s *Session) WriteFrame(f *gather.Frame) error                                  { return nil }
func (s *Session) Pause()                                                            {}
func (s *Session) Resume()                                                           {}
func (s *Session) TogglePause()                                                      {}
func (s *Session) Paused() bool                                                      { return false }
func (s *Session) SetReportMode(m ReportMode)                                        {}
func (s *Session) MoveCursor(delta int)                                              {}
func (s *Session) SetCursor(row int)                                                 {}
func (s *Session) Select()                                                           {}
func (s *Session) SelectParent()                                                     {}
func (s *Session) ToggleFold(row int)                                                {}
func (s *Session) MoveFrame(delta int)                                               {}
func (s *Session) SetFrame(age int)                                                  {}
func (s *Session) MoveToOverBudget(dir int)                                          {}
func (s *Session) SetAverage(a Average)                                              {}
func (s *Session) SetRecursion(r Recursion)                                          {}
func (s *Session) SetLane(id uint64)                                                 {}
func (s *Session) PinPath(zones ...int32)                                            {}
func (s *Session) View() View                                                        { return View{} }
func (s *Session) SetView(v View)                                                    {}
func (s *Session) Reset()                                                            {}
func (s *Session) SetFrameBudget(d time.Duration)                                    {}
func (s *Session) FrameBudget() time.Duration                                        { return time.Second / 60 }
func (s *Session) SetHistory(graphFrames, fullFrames int)                            {}
func (s *Session) AppendReport(dst *Report)                                          {}
func (s *Session) AppendReportOf(dst *Report, v View)                                {}
func (s *Session) AppendSeries(dst []Series, frames int) []Series                    { return dst }
func (s *Session) AppendFrames(dst []FrameSummary, frames int) []FrameSummary        { return dst }
func (s *Session) AppendTree(dst []TreeNode, v View) []TreeNode                      { return dst }
func (s *Session) AppendPathHistory(dst []float32, path int32, frames int) []float32 { return dst }
func (s *Session) AppendZoneHistory(dst []float32, zone int32, frames int) []float32 { return dst }
func (s *Session) AppendTotals(dst []TreeNode) []TreeNode                            { return dst }
func (s *Session) AppendLanes(dst []LaneInfo) []LaneInfo                             { return dst }
func (s *Session) Info() FrameInfo                                                   { return FrameInfo{} }
func (s *Session) Zone(id int32) gather.ZoneInfo                                     { return gather.ZoneInfo{} }
func (s *Session) Generation() uint64                                                { return 0 }
func (s *Session) Dump(o DumpOptions) *Dump                                          { return &Dump{} }
