package process

import (
	"fmt"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// keepUp digests frames before they lose their records. losing is the frame that loses them next.
func (s *store) keepUp(losing uint64) {
	for s.digested <= losing && s.digested >= s.past.First() && s.digested < s.past.Next {
		p := s.past.At(s.digested)
		if !s.stats.Asked && float64(len(p.Records))*history.RecordCost > history.KeepUpShare*p.LengthMS {
			return
		}
		s.digestNext()
	}
}

// appendMissed appends the warning about frames that are missing in the statistics since Reset.
func (s *store) appendMissed(dst []string, want ColumnSet) []string {
	t := &s.stats
	if want.And(report.DearEver).Empty() || t.Missed == 0 {
		return dst
	}
	if t.WarningOf != t.Missed {
		t.WarningOf = t.Missed
		t.Warning = fmt.Sprintf("%d frames are not in the statistics since Reset: "+
			"they were too short to take them in while nobody looked", t.Missed)
	}
	return append(dst, t.Warning)
}
