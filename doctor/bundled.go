package doctor

import (
	"slices"
	"strings"

	"openclaw-auth/state"
)

// bundledProviders are the providers of models that OpenClaw comes with, of all
// releases (the manifests of its extensions, 2026.5.12 to 2026.9.6, and what it
// has without one). A gateway may have a key for any of them in its environment.
var bundledProviders = []string{
	"alibaba", "amazon-bedrock", "anthropic", "anthropic-vertex", "apple-fm", "arcee", "azure", "bedrock", "byteplus", "byteplus-plan", "cerebras",
	"chutes", "claude-cli", "clawrouter", "cloudflare-ai-gateway", "codex", "codex-cli", "cohere", "comfy", "copilot-proxy", "dashscope", "deepinfra",
	"deepseek", "fal", "fireworks", "gemini-cli", "github-copilot", "google", "google-antigravity", "google-gemini-cli", "google-vertex", "groq",
	"huggingface", "kilocode", "kimi", "kimi-coding", "litellm", "lmstudio", "meta", "microsoft-foundry", "minimax", "minimax-cn", "minimax-portal",
	"minimax-portal-cn", "mistral", "modelstudio", "moonshot", "novita", "novita-ai", "novitaai", "nvidia", "ollama", "ollama-cloud", "openai",
	"openai-codex", "opencode", "opencode-go", "opencode-zen", "openrouter", "perplexity", "qianfan", "qwen", "qwen-portal", "qwencloud", "sglang",
	"stepfun", "stepfun-plan", "synthetic", "tencent-tokenhub", "together", "venice", "vercel-ai-gateway", "vllm", "volcengine", "volcengine-plan",
	"vydra", "x-ai", "xai", "xiaomi", "xiaomi-token-plan", "z-ai", "zai",
}

// isUnknownProvider reports whether nobody could serve a provider: OpenClaw does
// not come with it, and the configuration does not name it.
func (x *examination) isUnknownProvider(provider string) bool {
	name := strings.ToLower(strings.TrimSpace(provider))
	if slices.Contains(bundledProviders, name) || slices.Contains(bundledProviders, string(x.rules.Providers.Normalize(provider))) {
		return false
	}
	named := false
	x.modelReferences(func(ref string, _ state.Origin) {
		named = named || strings.HasPrefix(strings.ToLower(ref), name+"/")
	})
	plugins := x.Config.Document().Object("plugins").Object("entries")
	return !named && plugins.Object(name) == nil && x.Config.Auth().Providers().Object(provider) == nil
}
