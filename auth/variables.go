package auth

import (
	"slices"
	"strings"

	"openclaw-auth/auth/release"
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
	known := *variablesTable.At(r.Line)
	for _, id := range []ProviderID{r.Providers.Normalize(provider), r.Providers.AuthKey(provider)} {
		if names := known[id]; names != nil {
			return names
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

// variableSets are the variables of providers.
type variableSets map[ProviderID][]string

// set sets the variables of providers; several that share them stand in one key.
func (v *variableSets) set(rows map[string]string) {
	if *v == nil {
		*v = make(variableSets, len(rows))
	}
	for providers, names := range rows {
		for provider := range strings.FieldsSeq(providers) {
			(*v)[ProviderID(provider)] = strings.Fields(names)
		}
	}
}

// variablesTable holds the variables as the program lists them on 2026.4.29,
// 2026.5.12, 2026.7.1 and 2026.9.6 (testdata/variables). A provider that has
// become a plugin of its own keeps the variables that it had; names that hold
// no credential (a region, an application id) are left out.
var variablesTable = release.NewTable(nil,
	release.Step[variableSets]{Line: release.Oldest(), Change: func(v *variableSets) { v.set(firstVariables) }},
	release.Step[variableSets]{Line: "2026.7.1", Change: func(v *variableSets) {
		v.set(map[string]string{"openai": "CODEX_API_KEY OPENAI_API_KEY"})
	}},
	release.Step[variableSets]{Line: "2026.9.6", Change: func(v *variableSets) {
		v.set(map[string]string{"github-copilot": "COPILOT_GITHUB_TOKEN"})
	}},
)

// firstVariables are the variables of the oldest line; providers that share them stand in one key.
var firstVariables = map[string]string{
	"github-copilot":         "COPILOT_GITHUB_TOKEN GH_TOKEN GITHUB_TOKEN",
	"openai":                 "OPENAI_API_KEY",
	"alibaba":                "MODELSTUDIO_API_KEY DASHSCOPE_API_KEY QWEN_API_KEY",
	"anthropic claude-cli":   "ANTHROPIC_OAUTH_TOKEN ANTHROPIC_API_KEY",
	"anthropic-openai":       "ANTHROPIC_API_KEY",
	"arcee":                  "ARCEEAI_API_KEY",
	"azure azure-speech":     "AZURE_SPEECH_KEY AZURE_SPEECH_API_KEY SPEECH_KEY",
	"brave":                  "BRAVE_API_KEY",
	"byteplus byteplus-plan": "BYTEPLUS_API_KEY",
	"cerebras":               "CEREBRAS_API_KEY",
	"chutes":                 "CHUTES_API_KEY CHUTES_OAUTH_TOKEN",
	"clawrouter":             "CLAWROUTER_API_KEY",
	"cloudflare-ai-gateway":  "CLOUDFLARE_AI_GATEWAY_API_KEY",
	"cohere":                 "COHERE_API_KEY",
	"comfy":                  "COMFY_API_KEY COMFY_CLOUD_API_KEY",
	"deepgram":               "DEEPGRAM_API_KEY",
	"deepinfra":              "DEEPINFRA_API_KEY",
	"deepseek":               "DEEPSEEK_API_KEY",
	"elevenlabs":             "ELEVENLABS_API_KEY XI_API_KEY",
	"exa":                    "EXA_API_KEY",
	"fal":                    "FAL_KEY FAL_API_KEY",
	"firecrawl":              "FIRECRAWL_API_KEY",
	"fireworks":              "FIREWORKS_API_KEY",
	"google":                 "GEMINI_API_KEY GOOGLE_API_KEY",
	"google-vertex":          "GOOGLE_CLOUD_API_KEY",
	"gradium":                "GRADIUM_API_KEY",
	"groq":                   "GROQ_API_KEY",
	"huggingface":            "HUGGINGFACE_HUB_TOKEN HF_TOKEN",
	"inworld":                "INWORLD_API_KEY",
	"kilocode":               "KILOCODE_API_KEY",
	"kimi kimi-coding":       "KIMI_API_KEY KIMICODE_API_KEY",
	"litellm":                "LITELLM_API_KEY",
	"lmstudio":               "LM_API_TOKEN",
	"meta":                   "MODEL_API_KEY",
	"microsoft-foundry":      "AZURE_OPENAI_API_KEY",
	"minimax minimax-api minimax-api-key-cn minimax-api-lightning minimax-cloud minimax-cn": "MINIMAX_CODE_PLAN_KEY MINIMAX_CODING_API_KEY MINIMAX_API_KEY",
	"minimax-portal minimax-portal-cn": "MINIMAX_OAUTH_TOKEN MINIMAX_API_KEY",
	"mistral":                          "MISTRAL_API_KEY",
	"modelstudio-api-key modelstudio-api-key-cn modelstudio-standard-api-key modelstudio-standard-api-key-cn qwen": "QWEN_API_KEY MODELSTUDIO_API_KEY DASHSCOPE_API_KEY",
	"moonshot":                   "MOONSHOT_API_KEY KIMI_API_KEY",
	"novita novita-ai novitaai":  "NOVITA_API_KEY",
	"nvidia":                     "NVIDIA_API_KEY",
	"ollama ollama-cloud":        "OLLAMA_API_KEY",
	"opencode opencode-go":       "OPENCODE_API_KEY OPENCODE_ZEN_API_KEY",
	"openrouter":                 "OPENROUTER_API_KEY",
	"perplexity":                 "PERPLEXITY_API_KEY OPENROUTER_API_KEY",
	"qianfan":                    "QIANFAN_API_KEY",
	"qwen-dashscope":             "DASHSCOPE_API_KEY",
	"runway":                     "RUNWAYML_API_SECRET RUNWAY_API_KEY",
	"senseaudio":                 "SENSEAUDIO_API_KEY",
	"sglang":                     "SGLANG_API_KEY",
	"stepfun stepfun-plan":       "STEPFUN_API_KEY",
	"synthetic":                  "SYNTHETIC_API_KEY",
	"tavily":                     "TAVILY_API_KEY",
	"tencent-tokenhub":           "TOKENHUB_API_KEY",
	"together":                   "TOGETHER_API_KEY",
	"venice":                     "VENICE_API_KEY",
	"vercel-ai-gateway":          "AI_GATEWAY_API_KEY",
	"vllm":                       "VLLM_API_KEY",
	"volcengine volcengine-plan": "VOLCANO_ENGINE_API_KEY",
	"volcengine-tts":             "VOLCENGINE_TTS_API_KEY BYTEPLUS_SEED_SPEECH_API_KEY VOLCENGINE_TTS_TOKEN",
	"voyage":                     "VOYAGE_API_KEY",
	"vydra":                      "VYDRA_API_KEY",
	"x-ai xai":                   "XAI_API_KEY",
	"xiaomi":                     "XIAOMI_API_KEY",
	"xiaomi-token-plan":          "XIAOMI_TOKEN_PLAN_API_KEY",
	"zai":                        "ZAI_API_KEY Z_AI_API_KEY",
}
