package keys

// Change says how two stores differ in one key. The set is closed.
type Change string

const (
	ChangeAdded   Change = "added"   // the second store alone has it
	ChangeRemoved Change = "removed" // the first store alone has it
	ChangeBytes   Change = "bytes"   // another key under one key_id
	ChangeTier    Change = "tier"    // the same bytes
	ChangeWindow  Change = "window"  // the same bytes
)

// A Difference is one respect in which two stores differ.
type Difference struct {
	Change   Change
	LocalID  string
	Old, New TrustedKey // Old is the zero value for ChangeAdded, New for ChangeRemoved
}

// DiffStores returns how b differs from a, sorted by local id, then by key_id. A key whose bytes, tier and window all differ is
// in the list three times.
func DiffStores(a, b *Store) []Difference {
	var list []Difference
	both := &Store{held: make(map[string][]TrustedKey)}
	for _, s := range []*Store{a, b} {
		for localID, k := range s.All() {
			both.put(localID, k)
		}
	}
	for localID, k := range both.All() {
		old, inOld := a.Find(localID, k.KeyID)
		now, inNew := b.Find(localID, k.KeyID)
		differ := func(c Change) { list = append(list, Difference{c, localID, old, now}) }
		switch {
		case !inOld:
			differ(ChangeAdded)
			continue
		case !inNew:
			differ(ChangeRemoved)
			continue
		}
		if old.Key != now.Key {
			differ(ChangeBytes)
		}
		if old.Tier != now.Tier {
			differ(ChangeTier)
		}
		if !old.Window.Equal(now.Window) {
			differ(ChangeWindow)
		}
	}
	return list
}
