import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Hilo","description":"","frontmatter":{},"headers":[],"relativePath":"index.md","filePath":"index.md"}');
const _sfc_main = { name: "index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="hilo" tabindex="-1">Hilo <a class="header-anchor" href="#hilo" aria-label="Permalink to &quot;Hilo&quot;">​</a></h1><p>Hilo (Spanish: thread) executes conversations. A <em>canvas</em>, a JSON graph of nodes such as &quot;a webhook arrives&quot;, &quot;send a message&quot;, &quot;wait for the answer&quot;, &quot;call an API&quot;, runs durably: it waits for weeks, survives <code>kill -9</code>, and sends each message once.</p><table tabindex="0"><thead><tr><th>you want to</th><th>read</th></tr></thead><tbody><tr><td>write a conversation</td><td><a href="./canvas.html">canvases</a>, <a href="./nodes.html">nodes</a>, <a href="./messages.html">messages</a>, <a href="./expressions.html">expressions</a>, <a href="./problems.html">problems</a></td></tr><tr><td>try and test it</td><td><a href="./testing.html">testing</a>, <a href="./studio.html">the studio</a></td></tr><tr><td>put it into your backend</td><td><a href="./embedding.html">embedding</a>, <a href="./own-nodes.html">a node of your own</a>, <a href="./own-channel.html">a channel of your own</a></td></tr><tr><td>run the service</td><td><a href="./operating.html">operating</a>, <a href="./scaling.html">scaling</a>, <a href="./channels/README.html">channels</a>, <a href="./routes.html">routes</a></td></tr><tr><td>know what it promises</td><td><a href="./rules.html">rules</a></td></tr></tbody></table><h2 id="in-five-minutes" tabindex="-1">In five minutes <a class="header-anchor" href="#in-five-minutes" aria-label="Permalink to &quot;In five minutes&quot;">​</a></h2><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> create</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> hilo</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> my-bot</span><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;">    # a project with a canvas, its transcripts, a node of your own and a test</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">cd</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> my-bot</span><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;"> &amp;&amp; </span><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> install</span></span>
<span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npx</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> hilo</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> test</span><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;">             # plays the transcripts</span></span>
<span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npx</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> hilo</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> dev</span><span style="--shiki-light:#6A737D;--shiki-dark:#6A737D;">              # serves the workspace while you work on it</span></span></code></pre></div></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("index.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const index = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  index as default
};
