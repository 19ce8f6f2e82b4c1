"use strict";
// The index of games: what is searched for is shown, and nothing else.
const field = document.getElementById("search");
const found = document.getElementById("found");
const items = [...document.querySelectorAll("li")];

/** Show the games that have all words of the search, and say how many they are. */
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let number = 0;
  for (const item of items) {
    const has = words.every((word) => item.dataset.searched.includes(word));
    item.hidden = !has;
    number += has ? 1 : 0;
  }
  for (const section of document.querySelectorAll("section")) {
    section.hidden = !section.querySelector("li:not([hidden])");
  }
  found.textContent = number === 1 ? "1 game" : `${number} games`;
}

field.addEventListener("input", search);
search();
