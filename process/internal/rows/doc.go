// Package rows builds reports from a store: the rows of flat reports, call graphs, trees and slow frames, their
// statistics, the cursor, and the warnings. It does not take frames.
package rows
