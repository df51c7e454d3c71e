package viewer

import (
	"slices"

	"example.com/iprof/process"
)

// cursorRecord returns the record under the cursor.
func cursorRecord(s *process.Session) (r process.Record, ok bool) {
	var report process.Report
	s.AppendReport(&report)
	if at := report.CursorRecord(); at != nil {
		return *at, true
	}
	return r, false
}

// pinCursor makes reports count only below the cursor's path. If the row sums several paths, they count only below its
// zone.
func pinCursor(s *process.Session, p *Panel) {
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	v := s.View()
	s.PinPath(pathTo(s.AppendTree(nil, v), r)...)
	p.Note("counting only below " + r.Name)
}

// pathTo returns the zones on the path to a record, outermost first.
func pathTo(tree []process.TreeNode, r process.Record) (zones []process.ZoneID) {
	at := slices.IndexFunc(tree, func(n process.TreeNode) bool { return r.Path >= 0 && n.Path == r.Path })
	if at < 0 {
		return []process.ZoneID{r.Zone}
	}
	for i := int32(at); i >= 0; i = tree[i].Parent {
		if tree[i].Zone != 0 {
			zones = append(zones, tree[i].Zone)
		}
	}
	slices.Reverse(zones)
	if len(zones) == 0 {
		return []process.ZoneID{r.Zone}
	}
	return zones
}

func unpin(s *process.Session, _ *Panel) { s.PinPath() }

// ownLane shows only the lane on which the cursor's zone took most time. A second time, it shows all lanes.
func ownLane(s *process.Session, p *Panel) {
	v := s.View()
	if v.Lane != 0 {
		s.SetLane(0)
		return
	}
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	best, most := process.LaneInfo{}, 0.0
	var report process.Report
	for _, lane := range s.AppendLanes(nil) {
		of := v
		of.Lane, of.Mode = lane.ID, process.ReportHierarchicalTime
		s.AppendReportOf(&report, of)
		for i := range report.Records {
			if rec := &report.Records[i]; rec.Zone == r.Zone && rec.Values[process.ColumnHier] > most {
				best, most = lane, rec.Values[process.ColumnHier]
			}
		}
	}
	if most > 0 {
		s.SetLane(best.ID)
		p.Note("only " + best.Name)
	}
}

// filterToCursor shows only rows whose name contains that of the cursor's row.
func filterToCursor(s *process.Session, p *Panel) {
	if r, ok := cursorRecord(s); ok {
		p.setFilter(r.Name)
	}
}

// callersOnly opens the cursor's zone in the call graph without its callees. A second time, it shows them again.
func callersOnly(s *process.Session, p *Panel) {
	if s != nil && !p.State().CallersOnly {
		s.Select()
	}
	p.toggleCallers()
}

// openAs opens the cursor's zone in one of the call graphs.
func openAs(m process.ReportMode) action {
	return func(s *process.Session, _ *Panel) {
		if r, ok := cursorRecord(s); ok {
			v := s.View()
			v.Mode, v.Focus, v.FocusDepth = m, r.Zone, max(r.Depth-1, 0)
			s.SetView(v)
			s.Select()
		}
	}
}

// muteCursor mutes the cursor's zone, or measures it again.
func muteCursor(s *process.Session, p *Panel) {
	r, ok := cursorRecord(s)
	if !ok || r.Zone <= 0 {
		return
	}
	muted := !s.Muted(r.Zone)
	s.SetMuted(r.Zone, muted)
	if muted {
		p.Note("muted: " + r.Name + " is measured for one frame every few seconds")
		return
	}
	p.Note("measured again: " + r.Name)
}

// hideCursor hides the cursor's zone. The cursor goes to the next row.
func hideCursor(s *process.Session, p *Panel) {
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	v := s.View()
	next := p.step(v, 1)
	if next == v.Cursor {
		next = p.step(v, -1)
	}
	if next >= 0 {
		s.SetCursor(next)
	}
	s.SetHidden(r.Zone, true)
	words := "hidden: " + r.Name
	if key := p.keyName("show-zones"); key != "" {
		words += ". " + key + " shows all again"
	}
	p.Note(words)
}

// showHidden shows all hidden zones again.
func showHidden(s *process.Session, p *Panel) {
	if n := s.ShowHidden(); n == 0 {
		p.Note("no zone is hidden")
	}
}

func usualColumns(_ *process.Session, p *Panel) { p.Change(func(o *Options) { o.Columns = nil }) }
func asReported(_ *process.Session, p *Panel)   { p.sortAsReported() }
func copyRow(_ *process.Session, p *Panel)      { p.copyRow() }
func copySite(_ *process.Session, p *Panel)     { p.copySite() }
func openSite(_ *process.Session, p *Panel)     { p.openSite() }
func groupRows(_ *process.Session, p *Panel)    { p.toggleGrouped() }
func fold(_ *process.Session, p *Panel)         { p.toggleFold(-1) }
func savePicture(_ *process.Session, p *Panel)  { p.save(SavePicture) }
func saveReport(_ *process.Session, p *Panel)   { p.save(SaveReport) }
