void launchFirst();
void launchSecond();
int main() {
  launchFirst();
  launchSecond();
}
