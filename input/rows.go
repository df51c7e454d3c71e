package input

import (
	"slices"

	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// cursorRecord is the record under the cursor.
func cursorRecord(s *process.Session) (r process.Record, ok bool) {
	var report process.Report
	s.AppendReport(&report)
	if report.Cursor < 0 || report.Cursor >= len(report.Records) {
		return r, false
	}
	return report.Records[report.Cursor], true
}

// pinCursor makes rows count only what happened below the cursor's path; of a row that sums several paths, below its zone.
func pinCursor(s *process.Session, p *draw.Panel) {
	r, ok := cursorRecord(s)
	if !ok {
		return
	}
	v := s.View()
	s.PinPath(pathTo(s.AppendTree(nil, v), r)...)
	p.Note("counting only below " + r.Name)
}

// pathTo is the zones on the way to a record, outermost first.
func pathTo(tree []process.TreeNode, r process.Record) (zones []int32) {
	at := slices.IndexFunc(tree, func(n process.TreeNode) bool { return r.Path >= 0 && n.Path == r.Path })
	if at < 0 {
		return []int32{r.Zone}
	}
	for i := int32(at); i >= 0; i = tree[i].Parent {
		if tree[i].Zone != 0 {
			zones = append(zones, tree[i].Zone)
		}
	}
	slices.Reverse(zones)
	if len(zones) == 0 {
		return []int32{r.Zone}
	}
	return zones
}

func unpin(s *process.Session, _ *draw.Panel) { s.PinPath() }

// ownLane shows only the lane on which the cursor's zone took most time; once more shows all lanes.
func ownLane(s *process.Session, p *draw.Panel) {
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
		of.Lane, of.Mode = lane.ID, process.HierarchicalTime
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

// filterToCursor shows only rows with the name of the cursor's.
func filterToCursor(s *process.Session, p *draw.Panel) {
	if r, ok := cursorRecord(s); ok {
		p.SetFilter(r.Name)
	}
}

// callersOnly opens the cursor's zone in the call graph without its callees, or shows these again.
func callersOnly(s *process.Session, p *draw.Panel) {
	if !p.CallersOnly() {
		s.Select()
	}
	p.ToggleCallers()
}

// openAs opens the cursor's zone in one of the call graphs.
func openAs(m process.ReportMode) command {
	return func(s *process.Session, _ *draw.Panel) {
		if r, ok := cursorRecord(s); ok {
			v := s.View()
			v.Mode, v.Focus, v.FocusDepth = m, r.Zone, max(r.Depth-1, 0)
			s.SetView(v)
			s.Select()
		}
	}
}

func usualColumns(_ *process.Session, p *draw.Panel) { p.SetColumns() }
func asReported(_ *process.Session, p *draw.Panel)   { p.SortAsReported() }
func copyRow(_ *process.Session, p *draw.Panel)      { p.CopyRow() }
func copySite(_ *process.Session, p *draw.Panel)     { p.CopySite() }
func group(_ *process.Session, p *draw.Panel)        { p.ToggleGrouped() }
func fold(_ *process.Session, p *draw.Panel)         { p.ToggleFold(-1) }
func savePicture(_ *process.Session, p *draw.Panel)  { p.Save(draw.SavePicture) }
func saveReport(_ *process.Session, p *draw.Panel)   { p.Save(draw.SaveReport) }
