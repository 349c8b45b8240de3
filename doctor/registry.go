package doctor

import "sync"

// Checks returns the registry: every check, in the order in which they run. It
// is shared; leave it as it is.
func Checks() []*Check { return registry() }

var registry = sync.OnceValue(func() []*Check {
	return []*Check{
		unreadable(), evidence(),
		legacyDirectory(), blocked(), legacyImport(), legacyArchive(), embeddedState(),
		configKeys(), roster(), declaredOnly(),
		rejectedProfiles(), fieldNames(), awsMarker(), toolProfile(), sidecars(), modeMismatch(), credentials(), expiry(), sharedLogins(), twoStores(),
		codexRename(), retiredProviders(), defaultLogin(),
		unknownInOrder(), leftOut(), otherOrders(),
		lastGood(), usageGhost(),
		oddUsage(), longWindow(), runningWindow(), expiredWindow(), recentFailure(),
		strictAgent(), unknownProvider(), duplicate(),
		missingPin(), pinOutsideOrder(), autoOverride(), collapsedChain(),
		unfinished(), locks(), permissions(), links(),
		secretsConfig(), secretsStore(), secretsCopies(), secretsModels(), secretsID(), secretsLogs(),
	}
})
