package auth

import (
	"openclaw-auth/auth/release"
	"slices"
	"strings"
)

// KeyVariables returns the environment variables from which OpenClaw, and the
// tools of the provider, read its credential, the one that wins first. login
// says that the credential is a token or an OAuth login and no API key: the
// variables for logins alone are left out otherwise. A provider that no release
// has a variable for gets PROVIDER_API_KEY.
func (r *Rules) KeyVariables(provider string, login bool) []string {
	names := r.variables(provider)
	if login {
		return names
	}
	keys := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return strings.Contains(name, "OAUTH") })
	if len(keys) == 0 {
		return names
	}
	return keys
}

// variables are all of a provider's variables, those of logins too.
func (r *Rules) variables(provider string) []string {
	for _, id := range []ProviderID{r.Providers.Normalize(provider), r.Providers.AuthKey(provider)} {
		for _, row := range keyVariables {
			if !slices.Contains(strings.Fields(row.providers), string(id)) {
				continue
			}
			names := row.names
			for _, step := range row.steps {
				if release.Place(r.Line) >= release.Place(step.from) {
					names = step.names
				}
			}
			return strings.Fields(names)
		}
	}
	return []string{variableOf(string(r.Providers.Normalize(provider)))}
}

// variableOf is the variable that a provider without one of its own is given.
func variableOf(provider string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
			return c
		}
		return '_'
	}, provider)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return name + "_API_KEY"
}

// variableStep is a change of a provider's variables.
type variableStep struct{ from, names string }

// keyVariables are the variables as the program lists them on 2026.4.29,
// 2026.5.12, 2026.7.1 and 2026.9.6 (testdata/variables). A provider that has
// become a plugin of its own keeps the variables that it had; names that hold
// no credential (a region, an application id) are left out.
var keyVariables = []struct {
	providers, names string
	steps            []variableStep
}{
	{"github-copilot", "COPILOT_GITHUB_TOKEN GH_TOKEN GITHUB_TOKEN", []variableStep{{"2026.9.6", "COPILOT_GITHUB_TOKEN"}}},
	{"openai", "OPENAI_API_KEY", []variableStep{{"2026.7.1", "CODEX_API_KEY OPENAI_API_KEY"}}},
	{"alibaba", "MODELSTUDIO_API_KEY DASHSCOPE_API_KEY QWEN_API_KEY", nil},
	{"anthropic claude-cli", "ANTHROPIC_OAUTH_TOKEN ANTHROPIC_API_KEY", nil},
	{"anthropic-openai", "ANTHROPIC_API_KEY", nil},
	{"arcee", "ARCEEAI_API_KEY", nil},
	{"azure azure-speech", "AZURE_SPEECH_KEY AZURE_SPEECH_API_KEY SPEECH_KEY", nil},
	{"brave", "BRAVE_API_KEY", nil},
	{"byteplus byteplus-plan", "BYTEPLUS_API_KEY", nil},
	{"cerebras", "CEREBRAS_API_KEY", nil},
	{"chutes", "CHUTES_API_KEY CHUTES_OAUTH_TOKEN", nil},
	{"clawrouter", "CLAWROUTER_API_KEY", nil},
	{"cloudflare-ai-gateway", "CLOUDFLARE_AI_GATEWAY_API_KEY", nil},
	{"cohere", "COHERE_API_KEY", nil},
	{"comfy", "COMFY_API_KEY COMFY_CLOUD_API_KEY", nil},
	{"deepgram", "DEEPGRAM_API_KEY", nil},
	{"deepinfra", "DEEPINFRA_API_KEY", nil},
	{"deepseek", "DEEPSEEK_API_KEY", nil},
	{"elevenlabs", "ELEVENLABS_API_KEY XI_API_KEY", nil},
	{"exa", "EXA_API_KEY", nil},
	{"fal", "FAL_KEY FAL_API_KEY", nil},
	{"firecrawl", "FIRECRAWL_API_KEY", nil},
	{"fireworks", "FIREWORKS_API_KEY", nil},
	{"google", "GEMINI_API_KEY GOOGLE_API_KEY", nil},
	{"google-vertex", "GOOGLE_CLOUD_API_KEY", nil},
	{"gradium", "GRADIUM_API_KEY", nil},
	{"groq", "GROQ_API_KEY", nil},
	{"huggingface", "HUGGINGFACE_HUB_TOKEN HF_TOKEN", nil},
	{"inworld", "INWORLD_API_KEY", nil},
	{"kilocode", "KILOCODE_API_KEY", nil},
	{"kimi kimi-coding", "KIMI_API_KEY KIMICODE_API_KEY", nil},
	{"litellm", "LITELLM_API_KEY", nil},
	{"lmstudio", "LM_API_TOKEN", nil},
	{"meta", "MODEL_API_KEY", nil},
	{"microsoft-foundry", "AZURE_OPENAI_API_KEY", nil},
	{"minimax minimax-api minimax-api-key-cn minimax-api-lightning minimax-cloud minimax-cn", "MINIMAX_CODE_PLAN_KEY MINIMAX_CODING_API_KEY MINIMAX_API_KEY", nil},
	{"minimax-portal minimax-portal-cn", "MINIMAX_OAUTH_TOKEN MINIMAX_API_KEY", nil},
	{"mistral", "MISTRAL_API_KEY", nil},
	{"modelstudio-api-key modelstudio-api-key-cn modelstudio-standard-api-key modelstudio-standard-api-key-cn qwen", "QWEN_API_KEY MODELSTUDIO_API_KEY DASHSCOPE_API_KEY", nil},
	{"moonshot", "MOONSHOT_API_KEY KIMI_API_KEY", nil},
	{"novita novita-ai novitaai", "NOVITA_API_KEY", nil},
	{"nvidia", "NVIDIA_API_KEY", nil},
	{"ollama ollama-cloud", "OLLAMA_API_KEY", nil},
	{"opencode opencode-go", "OPENCODE_API_KEY OPENCODE_ZEN_API_KEY", nil},
	{"openrouter", "OPENROUTER_API_KEY", nil},
	{"perplexity", "PERPLEXITY_API_KEY OPENROUTER_API_KEY", nil},
	{"qianfan", "QIANFAN_API_KEY", nil},
	{"qwen-dashscope", "DASHSCOPE_API_KEY", nil},
	{"runway", "RUNWAYML_API_SECRET RUNWAY_API_KEY", nil},
	{"senseaudio", "SENSEAUDIO_API_KEY", nil},
	{"sglang", "SGLANG_API_KEY", nil},
	{"stepfun stepfun-plan", "STEPFUN_API_KEY", nil},
	{"synthetic", "SYNTHETIC_API_KEY", nil},
	{"tavily", "TAVILY_API_KEY", nil},
	{"tencent-tokenhub", "TOKENHUB_API_KEY", nil},
	{"together", "TOGETHER_API_KEY", nil},
	{"venice", "VENICE_API_KEY", nil},
	{"vercel-ai-gateway", "AI_GATEWAY_API_KEY", nil},
	{"vllm", "VLLM_API_KEY", nil},
	{"volcengine volcengine-plan", "VOLCANO_ENGINE_API_KEY", nil},
	{"volcengine-tts", "VOLCENGINE_TTS_API_KEY BYTEPLUS_SEED_SPEECH_API_KEY VOLCENGINE_TTS_TOKEN", nil},
	{"voyage", "VOYAGE_API_KEY", nil},
	{"vydra", "VYDRA_API_KEY", nil},
	{"x-ai xai", "XAI_API_KEY", nil},
	{"xiaomi", "XIAOMI_API_KEY", nil},
	{"xiaomi-token-plan", "XIAOMI_TOKEN_PLAN_API_KEY", nil},
	{"zai", "ZAI_API_KEY Z_AI_API_KEY", nil},
}
