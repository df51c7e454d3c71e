package process

// HotLine is a line of the program in which samples of the processor fell.
type HotLine struct {
	Function string
	File     string // full path
	Line     int
	Text     string // of the source, without the space around it; "" where there is none
	Samples  int
}

// HotFunction is a function in which samples fell.
type HotFunction struct {
	Function string
	Samples  int
}

// HotLines are the lines that a zone was in, from samples. They are plain data and are not changed.
type HotLines struct {
	Zone      ZoneID
	Lines     []HotLine     // at most 16, the most samples first
	Functions []HotFunction // at most 8, the most samples first
	Samples   int           // in the zone itself, not in zones inside
	ByStack   int           // of these, those put to the zone by their functions: the events were overwritten
	Others    int           // in other zones
	Outside   int           // outside every zone, without events, or on goroutines without a lane
	Error     string        // why there are none, or ""
}

// OutsideShare returns the share of all samples that fell into no zone, 0 to 1.
func (h *HotLines) OutsideShare() float64 {
	return float64(h.Outside) / float64(max(h.Samples+h.Others+h.Outside, 1))
}

// HotSource samples the running program for a session: see Session.SetHotSource. Any goroutine may call its methods.
type HotSource interface {
	// SetSampling starts or stops the sampling. The error says why it cannot.
	SetSampling(on bool) error
	Sampling() bool
	// HotLines returns what is known of a zone, nil if nothing is yet, and asks for newer samples. It does not wait.
	HotLines(zone ZoneID) *HotLines
}

// SetHotSource sets what samples the program, or nil. The module exectrace has one. The zone's card of the viewer shows
// its lines, and a command there starts and stops it. Its HotLines is called with the session locked and must not call
// it. Any goroutine may call SetHotSource.
func (s *Session) SetHotSource(source HotSource) {
	s.change()
	defer s.mu.Unlock()
	s.hot = source
}

// HotSource returns what samples the program, or nil. Any goroutine may call it.
func (s *Session) HotSource() HotSource {
	s.lock()
	defer s.mu.Unlock()
	return s.hot
}

// snapshotHot fills the hot lines around the zone under the cursor.
func (s *Session) snapshotHot(a *Around) {
	a.Hot, a.CanSample, a.Sampling = nil, s.hot != nil, false
	if s.hot == nil {
		return
	}
	a.Sampling = s.hot.Sampling()
	if a.Zone > 0 {
		a.Hot = s.hot.HotLines(a.Zone)
	}
}
