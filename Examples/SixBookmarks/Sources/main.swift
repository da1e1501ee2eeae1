print("six")
