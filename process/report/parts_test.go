package report_test

import (
	"testing"

	"example.com/iprof/process/report"
)

// A frame that only waited while it was blocked says for whom, and nothing of other waits.
func TestPartsOfABlockedFrame(t *testing.T) {
	for _, c := range []struct {
		frame report.FrameInfo
		want  string
	}{
		{report.FrameInfo{Length: 16, Busy: 14}, "14.0 busy + 2.0 waiting"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 7}, "4.0 busy + 7.0 blocked + 5.0 waiting"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 12}, "4.0 busy + 12.0 blocked"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 12, Joined: 12, Worker: "loader"},
			"4.0 busy + 12.0 blocked by loader"},
		{report.FrameInfo{Length: 16, Busy: 4, Blocked: 7, Joined: 12, Worker: "loader"},
			"4.0 busy + 7.0 blocked + 5.0 waiting for loader"},
	} {
		if got := string(c.frame.AppendParts(nil, 1)); got != c.want {
			t.Errorf("got %q; want %q", got, c.want)
		}
	}
}
