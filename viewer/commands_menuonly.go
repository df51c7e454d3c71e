package viewer

import "example.com/iprof/process"

// inMenus returns the commands that have no key of their own: menus run them, and lines of text.
var inMenus = func() []Command {
	return []Command{
		{Name: "descendants-of", Group: GroupRows, Action: "all that it calls",
			Do: openAs(process.ReportCallGraphDescendants)},
		{Name: "filter-name", Group: GroupRows, Action: "only rows of this name",
			Do: filterToCursor},
		{Name: "callers", Group: GroupRows, Action: "only its callers",
			Do: callersOnly},
		{Name: "collector", Group: GroupDisplay, Action: "bands of the garbage collector",
			Do: toggleCollector},
		{Name: "copy-site", Group: GroupOutput, Action: "copy its place in the source",
			Do: copySite},
		{Name: "open-site", Group: GroupRows, Action: "open its place in the editor",
			Do: openSite},
		{Name: "usual-columns", Group: GroupRows, Action: "the usual columns",
			Do: usualColumns},
		{Name: "as-reported", Group: GroupRows, Action: "sorted as reported",
			Do: asReported},
		{Name: "mute", Group: GroupMeasure, Action: "mute the zone", Words: "mute the zone, or measure it again",
			Arguments: "[ZONE [on|off]]", Text: "measure a zone for one frame every few seconds only, or again",
			Do: muteCursor},
		{Name: "zone-budget", Group: GroupMeasure, Action: "its budget: 1, 2, 4, 8 ms, none",
			Words: "the budget of the cursor's zone: 1, 2, 4, 8 ms, none", Arguments: "[ZONE TIME|off]",
			Text: "the time a zone may take in a frame, as 4 or 4ms: above it, its row is red", Do: cycleZoneBudget},
		{Name: "one-frame", Group: GroupFrames, Action: "one frame, or the moving average",
			Do: oneFrame},
		{Name: "all-frames", Group: GroupFrames, Action: "average of all frames",
			Do: setLens(process.Lens{Kind: process.LensAll})},
		{Name: "over-frames", Group: GroupFrames, Action: "average of frames over budget",
			Do: setLens(process.Lens{Kind: process.LensOver})},
		{Name: "within-frames", Group: GroupFrames, Action: "average of frames within budget",
			Do: setLens(process.Lens{Kind: process.LensWithin})},
		{Name: "slow-frames", Group: GroupFrames, Action: "average of the 16 slowest frames",
			Do: setLens(process.Lens{Kind: process.LensSlowest})},
	}
}
