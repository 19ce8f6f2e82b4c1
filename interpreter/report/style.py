"""How the page of a report looks: on screens, light or dark, wide or narrow, and on paper."""

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 Georgia, 'Times New Roman', serif; color: #222; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 2.1rem; margin: 0 0 .2rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #bbb; }
h3 { font-size: 1.02rem; margin: 1.1rem 0 .3rem; }
p { margin: .4rem 0; } .faint { color: #666; font-size: .88rem; }
ul.steps, ul.steps ul { margin: .1rem 0 .1rem; padding-left: 1.2rem; list-style: disc; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid #e2e2e2; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font: .82rem/1.3 ui-monospace, Menlo, Consolas, monospace; color: #444;
  overflow-wrap: anywhere; }
svg { width: 100%; height: auto; display: block; font-family: Helvetica, Arial, sans-serif; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.4rem; }
.board { max-width: 26rem; } .board svg { max-height: 30rem; }
.game { display: grid; grid-template-columns: repeat(4, 1fr); gap: .8rem; }
figure { margin: 0; break-inside: avoid; } figcaption { font-size: .85rem; color: #444; }
table.short { width: auto; } table.short td { border: 0; padding: .12rem 1.6rem .12rem 0; }
.finding { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid #bbb; break-inside: avoid; }
.finding.error { border-color: #b33; } .finding.warning { border-color: #c80; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 .8rem; }
  table { font-size: .8rem; } th, td { padding-right: .35rem; overflow-wrap: break-word; }
  .two { grid-template-columns: minmax(0, 1fr); } .game { grid-template-columns: 1fr 1fr; }
}
@media screen and (prefers-color-scheme: dark) {
  body { color: #ddd; background: #161616; }
  .faint, figcaption, code { color: #aaa; }
  h2, .finding { border-color: #555; } th, td { border-color: #333; }
}
@media print {
  :root { color-scheme: light; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; } tr { break-inside: avoid; }
  tr:first-child { break-after: avoid; } p.faint { break-inside: avoid; }
  .two { grid-template-columns: 1fr 1fr; } .board svg { max-height: 85mm; }
}
@page { margin: 16mm; }
"""
