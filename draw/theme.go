package draw

import "image/color"

// The colours of the display, from back to front.
var (
	background = color.NRGBA{14, 17, 22, 255}
	surface    = color.NRGBA{22, 27, 34, 255}  // a panel
	raised     = color.NRGBA{33, 39, 48, 255}  // keys, tracks, the tooltip
	stripe     = color.NRGBA{255, 255, 255, 7} // every other row
	selected   = color.NRGBA{35, 52, 72, 255}  // the cursor's row
	hovered    = color.NRGBA{255, 255, 255, 16}
	tab        = color.NRGBA{36, 58, 88, 255} // the tab in force
	outline    = color.NRGBA{42, 49, 60, 255}
	gridLine   = color.NRGBA{32, 38, 47, 255}
	textBright = color.NRGBA{240, 244, 250, 255}
	textNormal = color.NRGBA{212, 219, 228, 255}
	textDim    = color.NRGBA{150, 160, 173, 255}
	textFaint  = color.NRGBA{104, 114, 128, 255}
	accent     = color.NRGBA{88, 166, 255, 255}
	green      = color.NRGBA{86, 201, 141, 255}
	amber      = color.NRGBA{240, 174, 77, 255}
	red        = color.NRGBA{250, 110, 110, 255}
	grey       = color.NRGBA{98, 108, 122, 255} // idle zones, and what has no zone
	onColor    = color.NRGBA{12, 16, 22, 255}   // text on a zone's colour
	white      = color.NRGBA{255, 255, 255, 255}
)
