package auth

// BaseURL is the address of a provider's API as the program's own catalogue
// has it, "" for a provider that it has none for. No release changed one.
func (r *ProviderRules) BaseURL(provider string) string {
	return baseURLs[r.Normalize(provider)]
}

// baseURLs are those of the catalogues of 2026.4.29, 2026.5.12, 2026.7.1 and
// 2026.9.6.
var baseURLs = map[ProviderID]string{
	"anthropic":         "https://api.anthropic.com",
	"byteplus":          "https://ark.ap-southeast.bytepluses.com/api/v3",
	"byteplus-plan":     "https://ark.ap-southeast.bytepluses.com/api/coding/v3",
	"cerebras":          "https://api.cerebras.ai/v1",
	"chutes":            "https://llm.chutes.ai/v1",
	"cohere":            "https://api.cohere.ai/compatibility/v1",
	"deepinfra":         "https://api.deepinfra.com/v1/openai",
	"deepseek":          "https://api.deepseek.com",
	"fireworks":         "https://api.fireworks.ai/inference/v1",
	"github-copilot":    "https://api.individual.githubcopilot.com",
	"google":            "https://generativelanguage.googleapis.com/v1beta",
	"groq":              "https://api.groq.com/openai/v1",
	"huggingface":       "https://router.huggingface.co/v1",
	"kilocode":          "https://api.kilo.ai/api/gateway",
	"meta":              "https://api.meta.ai/v1",
	"mistral":           "https://api.mistral.ai/v1",
	"moonshot":          "https://api.moonshot.ai/v1",
	"novita":            "https://api.novita.ai/openai/v1",
	"nvidia":            "https://integrate.api.nvidia.com/v1",
	"ollama-cloud":      "https://ollama.com",
	"openai":            "https://api.openai.com/v1",
	"openai-codex":      "https://chatgpt.com/backend-api/codex",
	"opencode":          "https://opencode.ai/zen/v1",
	"opencode-go":       "https://opencode.ai/zen/go/v1",
	"openrouter":        "https://openrouter.ai/api/v1",
	"qianfan":           "https://qianfan.baidubce.com/v2",
	"stepfun":           "https://api.stepfun.ai/v1",
	"stepfun-plan":      "https://api.stepfun.ai/step_plan/v1",
	"tencent-tokenhub":  "https://tokenhub.tencentmaas.com/v1",
	"together":          "https://api.together.xyz/v1",
	"venice":            "https://api.venice.ai/api/v1",
	"volcengine":        "https://ark.cn-beijing.volces.com/api/v3",
	"volcengine-plan":   "https://ark.cn-beijing.volces.com/api/coding/v3",
	"xai":               "https://api.x.ai/v1",
	"xiaomi":            "https://api.xiaomimimo.com/v1",
	"xiaomi-token-plan": "https://token-plan-sgp.xiaomimimo.com/v1",
	"zai":               "https://api.z.ai/api/paas/v4",
}
