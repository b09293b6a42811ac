import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"The statechart of a canvas","description":"","frontmatter":{},"headers":[],"relativePath":"statechart.md","filePath":"statechart.md"}');
const _sfc_main = { name: "statechart.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="the-statechart-of-a-canvas" tabindex="-1">The statechart of a canvas <a class="header-anchor" href="#the-statechart-of-a-canvas" aria-label="Permalink to &quot;The statechart of a canvas&quot;">​</a></h1><p>Written by <code>tests/examples/statechart.test.ts</code> from the example of the engine’s README.</p><p><code>canvasMachine(canvas)</code> is the statechart of a canvas: a node is a state, a port is an event. Left out here is what every state has: ways to <code>failed</code>, <code>cancelled</code>, <code>expired</code> and <code>quarantined</code>, and the events that answer an effect or a wait.</p><div class="language-mermaid vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">mermaid</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">stateDiagram-v2</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  [*] --&gt; accepted</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  accepted --&gt; hook : execution.started</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  state hook {</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    [*] --&gt; hook_visiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    hook_visiting --&gt; hook_waiting : waiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    hook_visiting --&gt; hook_performing : running</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  }</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  hook --&gt; tell : port:new</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  state tell {</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    [*] --&gt; tell_visiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    tell_visiting --&gt; tell_waiting : waiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    tell_visiting --&gt; tell_performing : running</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  }</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  tell --&gt; done : port:sent</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  state done {</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    [*] --&gt; done_visiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    done_visiting --&gt; done_waiting : waiting</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">    done_visiting --&gt; done_performing : running</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  }</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  done --&gt; completed</span></span>
<span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">  completed --&gt; [*]</span></span></code></pre></div><h2 id="what-the-inspector-sees" tabindex="-1">What the inspector sees <a class="header-anchor" href="#what-the-inspector-sees" aria-label="Permalink to &quot;What the inspector sees&quot;">​</a></h2><p><code>createEngine({ inspect })</code> accepts what XState’s inspector accepts. For this example it receives:</p><div class="language-text vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">text</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>actor</span></span>
<span class="line"><span>event: xstate.init</span></span>
<span class="line"><span>snapshot after xstate.init: active, execution running</span></span>
<span class="line"><span>event: execution.started</span></span>
<span class="line"><span>snapshot after execution.started: active, execution running at tell, performing message.send</span></span>
<span class="line"><span>actor</span></span>
<span class="line"><span>event: xstate.init</span></span>
<span class="line"><span>snapshot after xstate.init: active, execution running at tell, performing message.send</span></span>
<span class="line"><span>event: effect.settled</span></span>
<span class="line"><span>snapshot after effect.settled: done, execution completed</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("statechart.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const statechart = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  statechart as default
};
