package html

import (
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// arranged is a dump of a session whose view is grouped, filtered, sorted and compared.
func arranged() *report.Dump {
	by := report.Order{Chosen: true, By: report.ColumnCount}
	a := report.Arrangement{Grouping: report.GroupingPackage, Filter: "i", Compare: true, Order: by}
	return sampledump.Arranged(report.ReportSelfTime, a).Dump(report.DumpOptions{})
}

func TestViewGolden(t *testing.T) {
	got := page(t, arranged(), Options{})
	at := strings.Index(got, `<section id="view"`)
	if at < 0 {
		t.Fatal("got no report; want that of the view")
	}
	end := strings.Index(got[at:], "</section>")
	golden.Text(t, "view.golden", []byte(got[at:at+end]+"</section>\n"))
}

// TestViewIsAbsentWithoutReport has a dump that was made by hand, and one whose filter lets nothing through.
func TestViewIsAbsentWithoutReport(t *testing.T) {
	nothing := sampledump.Arranged(report.ReportSelfTime,
		report.Arrangement{Filter: "no such zone"}).Dump(report.DumpOptions{})
	for name, d := range map[string]*report.Dump{"by hand": sampledump.Game(), "no lines": nothing} {
		if strings.Contains(page(t, d, Options{}), `id="view"`) {
			t.Errorf("%s: got a table; want none", name)
		}
	}
}

func TestLongViewIsCut(t *testing.T) {
	d := &report.Dump{Report: sampledump.Records(mostLines + 7)}
	if got := page(t, d, Options{}); !strings.Contains(got, "… and 7 more") || strings.Contains(got, "zone_1000<") {
		t.Error("got no word of 7 rows that are left out")
	}
}

func TestViewInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	open(t, p, arranged())
	expect(t, p, "lines", "document.querySelectorAll('#view tbody tr').length", 3)
	quiet(t, p)
	p.Screenshot("testdata/out/page.view.png")
}
