//go:build race

package merkle_test

// Under the race detector a sync.Pool forgets at random, so that what it spares is allocated now and then.
const underRace = true
