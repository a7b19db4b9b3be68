import { METRIC_WORDS, metricInterval, metricValue, percent, pValue } from '../../compare/wording.ts';
import type { ReportModel } from '../model.ts';
import { type Markup, markup } from '../page/markup.ts';

/** Every two runs in every metric, as a table. */
export function differencesSection({ comparison }: ReportModel): Markup | undefined {
  if (comparison === undefined) return undefined;
  const { comparisons, taskDifferences } = comparison;
  const named = taskDifferences.slice(0, 20);
  return markup`<section id="differences"><h2>Differences</h2>
<div class="scroll" role="group" aria-label="Differences" tabindex="0"><table class="data"><thead><tr><th scope="col">metric</th><th scope="col">runs</th><th scope="col">means</th><th scope="col">difference</th><th scope="col">interval</th><th scope="col">wins</th><th scope="col">p</th><th scope="col">corrected</th><th scope="col">better</th></tr></thead><tbody>${comparisons.map(
    ({ metric, runA, runB, meanA, meanB, difference, interval, aWins, bWins, ties, p, pAdjusted, better }) =>
      markup`<tr><th scope="row">${METRIC_WORDS[metric]}</th><td>${runA} − ${runB}</td><td>${metricValue(metric, meanA)}, ${metricValue(metric, meanB)}</td><td><b>${metricValue(metric, difference, true)}</b></td><td>${metricInterval(metric, interval, true)}</td><td>${aWins} : ${bWins}, ${ties} ties</td><td>${pValue(p).replace(/^p (= )?/, '')}</td><td>${pValue(pAdjusted).replace(/^p (= )?/, '')}</td><td>${better === null ? markup`<span class="dim">cannot be told</span>` : markup`<b>${better}</b>`}</td></tr>\n`,
  )}</tbody></table></div>
<p class="note">Means over the tasks that both runs have. Intervals: bootstrap of the paired differences, BCa. p: permutation test of the paired differences, in either direction; corrected by Holm's method for all pairs of runs.</p>
${named.length > 0 && markup`<p>Single tasks that differ by more than luck (Fisher's exact test of the trials, corrected by Benjamini and Hochberg): ${named.map(({ id, runA, runB, passRateA, passRateB }, index) => markup`${index > 0 && '; '}<b>${id}</b> (${runA} ${percent(passRateA)}, ${runB} ${percent(passRateB)})`)}.</p>`}</section>`;
}
