package html_test

import (
	"fmt"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// A page is one file; names in it are text, whatever they look like.
func ExampleWrite() {
	d := &report.Dump{Program: "convert", TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "<script>alert(1)</script>"}},
		Merged: []report.TreeNode{{Parent: -1, Hier: 1000, Self: 100},
			{Zone: 1, Parent: 0, Level: 1, Count: 1, Hier: 900, Self: 900}},
	}
	var page strings.Builder
	if err := html.Write(&page, d, html.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Contains(page.String(), "default-src"), strings.Contains(page.String(), "<script>alert"))
	// Output: true false
}
