package doctor

import "sync"

// The ids of the checks. A group of checks is the part before the slash.
const (
	IDFilesUnreadable         = "files/unreadable"
	IDHomeRelease             = "home/release"
	IDLegacyStateDir          = "legacy/state-dir"
	IDLegacyBlocked           = "legacy/blocked"
	IDLegacyImport            = "legacy/import"
	IDLegacyArchiveOnly       = "legacy/archive-only"
	IDLegacyEmbeddedState     = "legacy/embedded-state"
	IDConfigKeys              = "config/keys"
	IDConfigAgents            = "config/agents"
	IDConfigDeclaredProfile   = "config/declared-profile"
	IDProfilesRejected        = "profiles/rejected"
	IDProfilesFieldNames      = "profiles/field-names"
	IDProfilesAWSSDK          = "profiles/aws-sdk"
	IDProfilesCLI             = "profiles/cli"
	IDProfilesSidecar         = "profiles/sidecar"
	IDProfilesModeMismatch    = "profiles/mode-mismatch"
	IDProfilesCredential      = "profiles/credential"
	IDProfilesExpiry          = "profiles/expiry"
	IDProfilesSharedLogin     = "profiles/shared-login"
	IDProfilesTwoStores       = "profiles/two-stores"
	IDRenameOpenAICodex       = "rename/openai-codex"
	IDRenameProvider          = "rename/provider"
	IDRenameDefaultLogin      = "rename/default-login"
	IDOrderUnknownID          = "order/unknown-id"
	IDOrderLeftOut            = "order/left-out"
	IDOrderEffect             = "order/effect"
	IDStateLastGood           = "state/last-good"
	IDStateUsage              = "state/usage"
	IDWindowsMalformed        = "windows/malformed"
	IDWindowsTooLong          = "windows/too-long"
	IDWindowsActive           = "windows/active"
	IDWindowsExpired          = "windows/expired"
	IDWindowsRecentFailure    = "windows/recent-failure"
	IDChainStrictAgent        = "chain/strict-agent"
	IDChainUnknownProvider    = "chain/unknown-provider"
	IDChainRetiredModel       = "chain/retired-model"
	IDProfilesPlaceholder     = "profiles/placeholder"
	IDProfilesVariable        = "profiles/variable"
	IDConfigProfileAsKey      = "config/profile-as-key"
	IDFilesMisplaced          = "files/misplaced"
	IDProfilesUnusedSidecar   = "profiles/unused-sidecar"
	IDChainDuplicate          = "chain/duplicate"
	IDSessionsMissingPin      = "sessions/missing-pin"
	IDSessionsPinOutsideOrder = "sessions/pin-outside-order"
	IDSessionsStaleFallback   = "sessions/stale-fallback"
	IDSessionsNoFallback      = "sessions/no-fallback"
	IDFilesUnfinished         = "files/unfinished"
	IDFilesLocks              = "files/locks"
	IDFilesPermissions        = "files/permissions"
	IDFilesLinks              = "files/links"
	IDSecretsConfig           = "secrets/config"
	IDSecretsStore            = "secrets/store"
	IDSecretsCopies           = "secrets/copies"
	IDSecretsModels           = "secrets/models"
	IDSecretsProfileID        = "secrets/profile-id"
	IDSecretsLogs             = "secrets/logs"
)

// Checks returns the registry: every check, in the order in which they run. It
// is shared; leave it as it is.
func Checks() []*Check { return registry() }

var registry = sync.OnceValue(func() []*Check {
	return []*Check{
		unreadable(), evidence(),
		legacyDirectory(), blocked(), legacyImport(), legacyArchive(), embeddedState(),
		configKeys(), roster(), declaredOnly(), profileAsKey(),
		rejectedProfiles(), fieldNames(), awsMarker(), toolProfile(), sidecars(), unusedSidecars(), placeholder(), unsetVariable(), modeMismatch(), credentials(), expiry(), sharedLogins(), twoStores(),
		codexRename(), retiredProviders(), defaultLogin(),
		unknownInOrder(), leftOut(), otherOrders(),
		lastGood(), usageGhost(),
		oddUsage(), longWindow(), runningWindow(), expiredWindow(), recentFailure(),
		strictAgent(), unknownProvider(), duplicate(), retiredModel(),
		missingPin(), pinOutsideOrder(), autoOverride(), collapsedChain(),
		unfinished(), misplaced(), locks(), permissions(), links(),
		secretsConfig(), secretsStore(), secretsCopies(), secretsModels(), secretsID(), secretsLogs(),
	}
})
