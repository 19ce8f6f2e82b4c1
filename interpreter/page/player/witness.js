// The sites that show how a game has ended: a chain that joins sides of the board, a full row.
//
// In: a position, and the clause that has ended the game. Out: sites. What then holds: the clause
// asks for such a chain or row, and its pieces stand there.

/**
 * Return the sites that show that the clause of an outcome holds; none where that is not known.
 * @param {Object} game
 * @param {Object} position
 * @param {Object} outcome
 * @returns {Array<number>}
 */
export function sitesThatShow(game, position, outcome) {
  const clause = game.data.clauses[outcome.clause];
  const found = new Set();
  for (const witness of clause?.witnesses ?? []) {
    const stands = new Set(witness.layers.flatMap((place) => game.slot(position, place)));
    const sites = witness.rows
      ? fullRows(witness.rows, stands) : chain(game.data.relations, witness, stands);
    for (const site of sites) found.add(site);
  }
  return [...found];
}

function fullRows(rows, stands) {
  return rows.filter((row) => row.every((site) => stands.has(site))).flat();
}

function chain(relations, { near, ends, holds, within }, stands) {
  const inside = within === null ? stands : new Set(within.filter((site) => stands.has(site)));
  const steps = relations[near];
  const targets = ends.map((sites) => new Set(sites));
  const table = BigInt(`0x${holds}`);
  const left = new Set(inside);
  while (left.size) {
    const [first] = left;
    const group = [...reached([first], inside, steps).keys()];
    for (const site of group) left.delete(site);
    const touched = targets.filter((target) => group.some((site) => target.has(site)));
    const number = targets.reduce(
      (sum, target, place) => sum + (touched.includes(target) ? 2 ** place : 0), 0);
    if ((table >> BigInt(number)) & 1n) return joining(new Set(group), touched, steps);
  }
  return [];
}

/** Return for each site that a flood reaches the one from which it comes. */
function reached(from, inside, steps) {
  const found = new Map(from.map((site) => [site, null]));
  for (const site of found.keys()) {
    for (const next of steps[site]) if (inside.has(next) && !found.has(next)) found.set(next, site);
  }
  return found;
}

/** Return few sites of a group that join all sets that it touches. */
function joining(group, touched, steps) {
  if (!touched.length) return [...group];
  let path = null;
  for (const target of touched) {
    const begins = path ?? [...group].filter((site) => target.has(site));
    const found = reached(begins, group, steps);
    const end = [...found.keys()].find((site) => (path ? target.has(site)
      : touched.length < 2 || touched[1].has(site)));
    path = path ?? [];
    for (let site = end ?? null; site !== null; site = found.get(site)) path.push(site);
  }
  return [...new Set(path)];
}
