/** Runs every kind of a workload `rounds` times in turn and compares the medians. */
export async function measure({ workload, unit, kinds, run, holdAtLeast, compare }, rounds) {
  const samples = Object.fromEntries(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) for (const kind of kinds) samples[kind].push(await run(kind));
  const medians = Object.fromEntries(kinds.map((kind) => [kind, median(samples[kind])]));
  const { parley, sdk = null, floor = null, vscode = null } = medians;
  const result = {
    workload,
    unit,
    parley: round3(parley),
    sdk: sdk && round3(sdk),
    vscode: vscode && round3(vscode),
    floor: floor && round3(floor),
    ratioToSdk: sdk && round3(sdk / parley),
    ratioToFloor: floor && round3(floor / parley),
    holdAtLeast,
    spread: Object.fromEntries(
      kinds.map((kind) => [kind, round3(Math.max(...samples[kind]) / Math.min(...samples[kind]))]),
    ),
  };
  return { ...result, ok: compare ? compare(medians) : result.ratioToSdk >= holdAtLeast };
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function round3(value) {
  return Math.round(value * 1000) / 1000;
}
