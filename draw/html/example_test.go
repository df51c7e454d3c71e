package html_test

import (
	"fmt"
	"strings"
	"time"

	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// A page is one file; names in it are text, whatever they look like.
func ExampleWrite() {
	d := &process.Dump{Program: "convert", TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "<script>alert(1)</script>"}},
		Merged: []process.TreeNode{{Parent: -1, Hier: 1000, Self: 100},
			{Zone: 1, Parent: 0, Level: 1, Count: 1, Hier: 900, Self: 900}},
	}
	var page strings.Builder
	if err := html.Write(&page, d, html.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.Contains(page.String(), "default-src"), strings.Contains(page.String(), "<script>alert"))
	// Output: true false
}

// A page with Live asks its server for what WriteNow writes.
func ExampleWriteNow() {
	d := &process.Dump{TicksPerSecond: 1e9, Frames: 60, RunTime: time.Second,
		Zones: []gather.ZoneInfo{{Name: "(root)"}}, Merged: []process.TreeNode{{Parent: -1, Hier: 1000, Self: 1000}}}
	var now strings.Builder
	if err := html.WriteNow(&now, d, html.Options{}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(now.String()[:60])
	// Output: {"facts":[["frames","60",""],["goroutines","0",""],["calls",
}
